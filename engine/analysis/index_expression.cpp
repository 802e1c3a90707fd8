#include "engine/analysis/index_expression.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/analysis/access_sets.hpp"
#include "engine/expression/dialects.hpp"
#include "engine/expression/operations.hpp"
#include "engine/expression/parser.hpp"

namespace warplens::analysis {
namespace {

using expression::Node;
using expression::Op;
using Int = std::int64_t;

Error with_position(Error error, std::string_view name) {
  error.message += " at position " + std::to_string(error.place.column);
  error.place.file = std::string(name);
  return error;
}

// The value of a name; null: there is none.
const Int* find_name(std::string_view name, const IndexVariables& variables) {
  if (name == "lane") return &variables.lane;
  if (name == "warp") return &variables.warp;
  const auto own = std::find_if(variables.more.begin(), variables.more.end(),
                                [&](const NamedIndex& n) { return n.name == name; });
  return own == variables.more.end() ? nullptr : &own->value;
}

// A name that has no value; nothing: all have one.
std::optional<Error> unknown_name(const Node& node, const IndexVariables& variables) {
  const Place place{"", 0, static_cast<int>(node.begin) + 1};
  if (node.kind == Node::Kind::call)
    return Error{"unknown function '" + node.text.substr(0, 30) + "'", "use C's operators alone", place};
  for (const Node& part : node.parts)
    if (auto error = unknown_name(part, variables)) return error;
  if (node.kind != Node::Kind::name || find_name(node.text, variables) != nullptr) return std::nullopt;
  std::string known = variables.more.empty() ? "lane or warp" : "lane, warp";
  for (const NamedIndex& own : variables.more)
    known += (&own == &variables.more.back() ? " or " : ", ") + std::string(own.name);
  return Error{"unknown name '" + node.text.substr(0, 30) + "'", "use " + known, place};
}

// As C evaluates: what a condition leaves out has no errors. After the first error every value is 0.
class IndexEvaluation {
 public:
  explicit IndexEvaluation(const IndexVariables& variables) : variables_(variables) {}

  Int value(const Node& node) {
    if (error_) return 0;
    switch (node.kind) {
      case Node::Kind::number:
        return node.whole;
      case Node::Kind::name:
        return *find_name(node.text, variables_);
      case Node::Kind::choose:
        return value(node.parts[value(node.parts[0]) != 0 ? 1 : 2]);
      case Node::Kind::prefix:
        return prefixed(node, value(node.parts[0]));
      default:
        return combined(node);
    }
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  Int prefixed(const Node& node, Int of) {
    if (node.op == Op::complement) return ~of;
    return node.op == Op::negation ? of == 0 : apply(node, Op::subtract, 0, of);
  }
  Int combined(const Node& node) {
    const Int left = value(node.parts[0]);
    if (node.op == Op::both && left == 0) return 0;
    if (node.op == Op::either && left != 0) return 1;
    return apply(node, node.op, left, value(node.parts[1]));
  }
  Int apply(const Node& node, Op op, Int left, Int right) {
    if (error_) return 0;
    const auto result = expression::computed(op, left, right);
    if (!result) fail(node, op, right);
    return result.value_or(0);
  }
  void fail(const Node& node, Op op, Int right) {
    const std::string where = " for lane " + std::to_string(variables_.lane);
    const Place place{"", 0, static_cast<int>(node.sign) + 1};
    if ((op == Op::divide || op == Op::remainder) && right == 0)
      error_ = Error{"division by zero" + where, "keep the divisor from being 0", place};
    else if (op == Op::shift_left || op == Op::shift_right)
      error_ = Error{"the shift by " + std::to_string(right) + " has no 64-bit result" + where,
                     "shift by less", place};
    else
      error_ =
          Error{"the result of " + node.text + " does not fit 64 bits" + where, "use smaller numbers", place};
  }

  const IndexVariables& variables_;
  std::optional<Error> error_;
};

// All names of which are known.
Result<Node> read_index(std::string_view text, const IndexVariables& variables, std::string_view name) {
  auto root = expression::parse(text, expression::index_dialect());
  if (!root) return with_position(root.error(), name);
  if (const auto unknown = unknown_name(*root, variables)) return with_position(*unknown, name);
  return root;
}

Result<Int> evaluated(const Node& root, const IndexVariables& variables, std::string_view name) {
  IndexEvaluation evaluation(variables);
  const Int value = evaluation.value(root);
  if (evaluation.error()) return with_position(*evaluation.error(), name);
  return value;
}

}  // namespace

Result<std::int64_t> evaluate_index(std::string_view text, const IndexVariables& variables,
                                    std::string_view name) {
  const auto root = read_index(text, variables, name);
  return root ? evaluated(*root, variables, name) : Result<Int>(root.error());
}

Result<WarpAccess> access_at_index(std::string_view text, AccessOp op, int width, std::uint32_t active,
                                   IndexVariables variables, std::string_view name) {
  if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
    return Error{"the width is " + std::to_string(width) + " bytes", "use 1, 2, 4, 8 or 16", {}};
  const auto root = read_index(text, variables, name);
  if (!root) return root.error();
  WarpAccess access{op, width, active, {}};
  for (int lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    variables.lane = lane;
    const auto index = evaluated(*root, variables, name);
    if (!index) return index.error();
    if (*index < 0)
      return Error{"the index of lane " + std::to_string(lane) + " is " + std::to_string(*index),
                   "give an index of 0 or more for every lane",
                   {std::string(name), 0, 0}};
    Int bytes = 0;
    if (__builtin_mul_overflow(*index, width, &bytes))
      return Error{"the index of lane " + std::to_string(lane) + " is too large",
                   "use a smaller one",
                   {std::string(name), 0, 0}};
    access.address[static_cast<std::size_t>(lane)] = static_cast<std::uint64_t>(bytes);
  }
  return access;
}

}  // namespace warplens::analysis
