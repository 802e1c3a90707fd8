#include "engine/source/c_expression.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "engine/expression/dialects.hpp"
#include "engine/expression/operations.hpp"
#include "engine/expression/parser.hpp"
#include "engine/source/types.hpp"

namespace warplens::source {
namespace {

using expression::Node;
using expression::Op;
using Value = std::optional<CNumber>;

// Signs of whole numbers alone cut fractions off; so does a division of two whole ones.
Value combine(Op op, const CNumber& a, const CNumber& b) {
  const bool whole = a.is_whole && b.is_whole;
  if (op == Op::either || op == Op::both || expression::is_comparison(op))
    return CNumber{expression::computed(op, a.value, b.value), true};
  if (op == Op::add || op == Op::subtract || op == Op::multiply || (op == Op::divide && !whole))
    return CNumber{expression::computed(op, a.value, b.value), whole};
  if (!(std::abs(a.value) < 0x1p62) || !(std::abs(b.value) < 0x1p62)) return std::nullopt;
  const auto result =
      expression::computed(op, static_cast<std::int64_t>(a.value), static_cast<std::int64_t>(b.value));
  return result ? Value(CNumber{static_cast<double>(*result), true}) : std::nullopt;
}

bool is_c_type(std::string_view text) { return read_type(text).has_value(); }

Value cast(Value value, const TypeText& type) {
  if (!value) return value;
  value->is_whole = type.base.find("int") != std::string::npos;
  if (value->is_whole) value->value = std::trunc(value->value);
  return value;
}

class CEvaluation {
 public:
  explicit CEvaluation(const CNames& names) : names_(names) {}

  Value value(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return CNumber{node.number, node.is_whole};
      case Node::Kind::name:
        return named(node.text);
      case Node::Kind::call:
        return node.text == "sizeof" ? size_of(node.parts[0].text) : call(node);
      case Node::Kind::element:
        return element(node);
      case Node::Kind::cast:
        return cast(value(node.parts[0]), *read_type(node.text));
      case Node::Kind::choose:
        return choose(node);
      default:
        return node.parts.size() == 1 ? prefixed(node) : combined(node);
    }
  }

 private:
  Value named(std::string_view name) const { return names_.value ? names_.value(name) : std::nullopt; }
  Value choose(const Node& node) const {
    const Value test = value(node.parts[0]);
    return value(node.parts[test && test->value != 0 ? 1 : 2]);
  }
  Value element(const Node& node) const {
    const Value index = node.parts.size() == 2 ? value(node.parts[1]) : std::nullopt;
    if (!index || !index->is_whole || !(std::abs(index->value) < 0x1p31)) return std::nullopt;
    return named(node.text + "[" + std::to_string(static_cast<std::int64_t>(index->value)) + "]");
  }
  Value prefixed(const Node& node) const {
    Value of = value(node.parts[0]);
    if (!of) return of;
    if (node.op == Op::negation) return CNumber{of->value == 0 ? 1.0 : 0.0, true};
    of->value = -of->value;
    return of;
  }
  Value combined(const Node& node) const {
    const Value left = value(node.parts[0]), right = value(node.parts[1]);
    return left && right ? combine(node.op, *left, *right) : std::nullopt;
  }
  Value call(const Node& node) const {
    std::vector<CNumber> arguments;
    for (const Node& part : node.parts) {
      const Value argument = value(part);
      if (!argument) return argument;
      arguments.push_back(*argument);
    }
    return names_.call ? names_.call(node.text, arguments) : std::nullopt;
  }
  Value size_of(const std::string& name) const {
    const auto type = read_type(name);
    if (!type) return named("sizeof " + name);
    return CNumber{static_cast<double>(type->bytes()), true};
  }

  const CNames& names_;
};

}  // namespace

std::optional<CNumber> evaluate_c(std::string_view text, const CNames& names) {
  const auto root = expression::parse(text, expression::c_dialect(is_c_type));
  return root ? CEvaluation(names).value(*root) : std::nullopt;
}

}  // namespace warplens::source
