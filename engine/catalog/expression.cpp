#include "engine/catalog/expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/expression/dialects.hpp"
#include "engine/expression/operations.hpp"
#include "engine/expression/parser.hpp"

namespace warplens::catalog {
namespace {

using expression::Node;
using expression::Op;

struct Function {
  std::string_view name;
  std::size_t arguments;  // 0: one or more
  double (*of)(const double* x, std::size_t count);
};
constexpr std::array<Function, 6> kFunctions{
    {{"ceil_div", 2, [](const double* x, std::size_t) { return expression::ceil_div(x[0], x[1]); }},
     {"floor_div", 2, [](const double* x, std::size_t) { return expression::floor_div(x[0], x[1]); }},
     {"round_up", 2, [](const double* x, std::size_t) { return expression::round_up(x[0], x[1]); }},
     {"min", 0, [](const double* x, std::size_t count) { return *std::min_element(x, x + count); }},
     {"max", 0, [](const double* x, std::size_t count) { return *std::max_element(x, x + count); }},
     {"abs", 1, [](const double* x, std::size_t) { return std::abs(x[0]); }}}};

struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array<Constant, 1> kConstants{{{"WARP", 32}}};

template <class Rows>
auto row_named(const Rows& rows, std::string_view name) {
  return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
}

// Gives names and calls their slots.
class Binder {
 public:
  Binder(std::string_view text, Scope& scope, std::string_view use) : text_(text), scope_(scope), use_(use) {}

  Status bind(Node& node) {
    if (node.kind == Node::Kind::name) return name(node);
    if (node.kind == Node::Kind::call)
      if (Status known = call(node); !known) return known;
    for (Node& part : node.parts)
      if (Status bound = bind(part); !bound) return bound;
    return Done{};
  }
  std::vector<std::string> names;
  std::vector<const double*> values;

 private:
  Status name(Node& node) {
    if (const double* value = scope_.find(node.text)) {
      const auto known = std::find(values.begin(), values.end(), value);
      node.slot = static_cast<std::int32_t>(known - values.begin());
      if (known == values.end()) names.push_back(node.text), values.push_back(value);
      return Done{};
    }
    const auto constant = row_named(kConstants, node.text);
    if (constant == kConstants.end())
      return Error{fmt::format("unknown name {} in \"{}\"", node.text, text_),
                   use_.empty() ? "use one of " + scope_.names() : std::string(use_)};
    node.kind = Node::Kind::number, node.number = constant->value;
    return Done{};
  }
  Status call(Node& node) const {
    const auto function = row_named(kFunctions, node.text);
    if (function == kFunctions.end()) {
      std::vector<std::string_view> known;
      for (const Function& one : kFunctions) known.push_back(one.name);
      return Error{fmt::format("unknown function {} in \"{}\"", node.text, text_),
                   fmt::format("use one of {}", fmt::join(known, ", "))};
    }
    node.slot = static_cast<std::int32_t>(function - kFunctions.begin());
    const std::size_t count = node.parts.size(), wanted = function->arguments;
    if (wanted == 0 ? count > 0 : count == wanted) return Done{};
    return Error{
        fmt::format("{} has {} argument{} in \"{}\"", node.text, count, count == 1 ? "" : "s", text_),
        wanted == 0 ? "give it one or more" : fmt::format("give it {}", wanted)};
  }

  std::string_view text_;
  Scope& scope_;
  std::string_view use_;
};

double logical_not(double x) { return std::isnan(x) ? x : static_cast<double>(x == 0); }

double infix_value(Op op, double a, double b) {
  return op == Op::remainder ? expression::remainder(a, b) : expression::computed(op, a, b);
}

double value_of(const Node& node, const std::vector<const double*>& values);

double called(const Node& node, const std::vector<const double*>& values) {
  std::array<double, expression::kMostArguments> x;
  for (std::size_t i = 0; i < node.parts.size(); ++i) x[i] = value_of(node.parts[i], values);
  return kFunctions[static_cast<std::size_t>(node.slot)].of(x.data(), node.parts.size());
}

double value_of(const Node& node, const std::vector<const double*>& values) {
  const auto part = [&](std::size_t i) { return value_of(node.parts[i], values); };
  switch (node.kind) {
    case Node::Kind::number:
      return node.number;
    case Node::Kind::name:
      return *values[static_cast<std::size_t>(node.slot)];
    case Node::Kind::prefix:
      return node.op == Op::negate ? -part(0) : logical_not(part(0));
    case Node::Kind::infix:
      return infix_value(node.op, part(0), part(1));
    case Node::Kind::choose:
      return part(part(0) != 0 ? 1 : 2);
    default:
      return called(node, values);
  }
}

}  // namespace

void Scope::set(std::string_view name, std::int64_t value) {
  values_.insert_or_assign(std::string(name), static_cast<double>(value));
}

double* Scope::find(std::string_view name) {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Scope::names() const {
  std::string list;
  for (const auto& [name, value] : values_) list += (list.empty() ? "" : ", ") + name;
  return list;
}

Result<Expression> Expression::compile(std::string_view text, Scope& scope, std::string_view use) {
  auto root = expression::parse(text, expression::front_matter_dialect());
  if (!root) return expression::in_words(root.error(), text);
  Binder binder(text, scope, use);
  if (const Status bound = binder.bind(*root); !bound) return bound.error();
  Expression expression;
  expression.text_ = text;
  expression.root_ = *std::move(root);
  expression.names_ = std::move(binder.names);
  expression.values_ = std::move(binder.values);
  return expression;
}

double Expression::evaluate() const { return value_of(root_, values_); }

bool Expression::uses(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string Expression::values_now() const {
  std::string text;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (i > 0) text += i + 1 == names_.size() ? " and " : ", ";
    text += fmt::format("{} is {}", names_[i], format_value(*values_[i]));
  }
  return text;
}

std::string format_value(double value) {
  if (std::isnan(value)) return "undefined";
  if (expression::is_whole(value)) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{:.6g}", value);
}

bool is_reserved_name(std::string_view name) { return row_named(kConstants, name) != kConstants.end(); }

}  // namespace warplens::catalog
