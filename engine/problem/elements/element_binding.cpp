// From the tree of an expression (engine/expression) to that of elements: every name is looked up here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "engine/base/code_text.hpp"
#include "engine/catalog/near.hpp"
#include "engine/expression/dialects.hpp"
#include "engine/expression/parser.hpp"
#include "engine/problem/elements/element_expression.hpp"
#include "engine/problem/elements/element_functions.hpp"

namespace warplens::problem {
namespace {

using Kind = ElementNode::Kind;
using expression::Node;

constexpr int kMostIndices = 24;

struct ReductionName {
  std::string_view name;
  Reduction reduction;
  bool is_function = false;  // of values too: min(a, b)
};
constexpr ReductionName kReductions[] = {{"sum", Reduction::sum},         {"product", Reduction::product},
                                         {"min", Reduction::least, true}, {"max", Reduction::largest, true},
                                         {"count", Reduction::count},     {"any", Reduction::any},
                                         {"all", Reduction::all}};

struct Constant {
  std::string_view name;
  double value;
};
constexpr Constant kConstants[] = {
    {"WARP", 32}, {"pi", std::numbers::pi}, {"inf", std::numeric_limits<double>::infinity()}};

// The row with this name; null: none has it.
template <class Rows>
auto row_of_name(const Rows& rows, std::string_view name) -> decltype(&rows[0]) {
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : &*found;
}

class ElementBinder {
 public:
  ElementBinder(std::string_view text, const ElementNames& names) : text_(text), names_(names) {
    expression_.text = text;
    expression_.read.resize(names.buffers.size());
    for (const std::string& index : names.indices) bound_.push_back({index, expression_.indices++});
  }

  Result<ElementExpression> whole(const Node& root) {
    expression_.root = bound(root);
    if (error_) return *error_;
    return std::move(expression_);
  }

 private:
  using Made = std::shared_ptr<ElementNode>;
  using Parts = std::vector<SharedElement>;

  std::nullptr_t fail(std::string message, std::string next_step) {
    if (!error_) error_ = Error{fmt::format("{} in \"{}\"", message, text_), std::move(next_step)};
    return nullptr;
  }

  static Made made(Kind kind, Parts parts = {}) {
    auto node = std::make_shared<ElementNode>();
    node->kind = kind;
    node->parts = std::move(parts);
    for (const SharedElement& part : node->parts) node->uses |= part->uses;
    return node;
  }
  static Made numbered(double number) {
    Made node = made(Kind::number);
    node->number = number;
    return node;
  }
  static Made slotted(Kind kind, int slot, Parts parts = {}) {
    Made node = made(kind, std::move(parts));
    node->slot = slot;
    return node;
  }

  SharedElement bound(const Node& node) {
    switch (node.kind) {
      case Node::Kind::number:
        return numbered(node.number);
      case Node::Kind::name:
        return named(node.text);
      case Node::Kind::call:
        return call(node);
      case Node::Kind::element:
        return element(node);
      default:
        return operation(node);
    }
  }
  // From `first` on; empty after an error.
  Parts parts_of(const Node& node, std::size_t first = 0) {
    Parts parts;
    for (std::size_t part = first; part < node.parts.size(); ++part) {
      parts.push_back(bound(node.parts[part]));
      if (!parts.back()) return {};
    }
    return parts;
  }
  SharedElement operation(const Node& node) {
    Parts parts = parts_of(node);
    if (error_) return nullptr;
    const bool denies = node.op == expression::Op::negation;
    Made operation = made(node.kind == Node::Kind::choose  ? Kind::choose
                          : node.kind == Node::Kind::infix ? Kind::binary
                          : denies                         ? Kind::negation
                                                           : Kind::negate,
                          std::move(parts));
    operation->op = node.op;
    return operation;
  }

  // ---- names

  int buffer_named(std::string_view name) const {
    const auto* found = row_of_name(names_.buffers, name);
    return found == nullptr ? -1 : static_cast<int>(found - names_.buffers.data());
  }
  int index_named(std::string_view name) const {
    const auto found =
        std::find_if(bound_.rbegin(), bound_.rend(), [&](const Bound& b) { return b.name == name; });
    return found == bound_.rend() ? -1 : found->slot;
  }
  int number_named(std::string_view name) const {
    const auto found = std::find(names_.numbers.begin(), names_.numbers.end(), name);
    return found == names_.numbers.end() ? -1 : static_cast<int>(found - names_.numbers.begin());
  }
  bool is_known(std::string_view name) const {
    return index_named(name) >= 0 || number_named(name) >= 0 || buffer_named(name) >= 0;
  }

  SharedElement named(const std::string& name) {
    if (const int index = index_named(name); index >= 0) {
      Made node = slotted(Kind::index, index);
      node->uses = std::uint64_t{1} << index;
      return node;
    }
    if (const int slot = number_named(name); slot >= 0) return slotted(Kind::named, slot);
    if (const int buffer = buffer_named(name); buffer >= 0) return without_index(buffer);
    if (const auto* constant = row_of_name(kConstants, name)) return numbered(constant->value);
    return unknown(name);
  }
  std::nullptr_t unknown(const std::string& name) {
    std::vector<std::string> known;
    for (const auto& buffer : names_.buffers) known.push_back(buffer.name);
    for (const Bound& bound : bound_) known.push_back(bound.name);
    for (const std::string& number : names_.numbers)
      if (!number.starts_with("COLUMNS_")) known.push_back(number);  // those are made of row and column
    const auto near = catalog::near_names(name, known, 1);
    const std::string all = fmt::format("{}", fmt::join(known, ", "));
    return fail("unknown name " + name,
                (near.empty() ? "use one of " + all
                              : fmt::format("did you mean {}? the names here are {}", near.front(), all)) +
                    names_.beside);
  }

  // ---- elements

  std::nullptr_t without_index(int buffer) {
    const ElementNames::Buffer& what = names_.buffers[static_cast<std::size_t>(buffer)];
    return fail(what.name + " has no index", fmt::format("write an element of it, such as {}{}", what.name,
                                                         what.is_matrix ? "[row, column]" : "[i]"));
  }
  // The buffer of old(X); -1: it is none.
  int old(const Node& node) {
    const bool is_name = node.parts.size() == 1 && node.parts[0].kind == Node::Kind::name;
    const int buffer = is_name ? buffer_named(node.parts[0].text) : -1;
    if (buffer < 0)
      fail(fmt::format("old({}) is of no buffer", is_name ? node.parts[0].text : ""),
           "name one: old(out)[i]");
    return buffer;
  }
  SharedElement element(const Node& node) {
    const Node& array = node.parts[0];
    const bool is_old = array.kind == Node::Kind::call && array.text == "old";
    const int buffer = is_old ? old(array) : buffer_named(array.text);
    if (error_) return nullptr;
    if (buffer < 0 && !is_known(array.text)) return unknown(array.text);
    if (buffer < 0 || index_named(array.text) >= 0)
      return fail(array.text + " has no elements", "write it without an index");
    const ElementNames::Buffer& what = names_.buffers[static_cast<std::size_t>(buffer)];
    Parts parts = parts_of(node, 1);
    if (error_) return nullptr;
    if (parts.size() > (what.is_matrix ? 2u : 1u))
      return fail(fmt::format("{} has {} indices", what.name, parts.size()),
                  what.is_matrix ? "give row and column, or its place in memory"
                                 : "give one, or give the buffer a shape = [\"rows\", \"columns\"]");
    Made load = slotted(Kind::load, buffer, std::move(parts));
    load->is_old = is_old;
    expression_.read[static_cast<std::size_t>(buffer)] |= is_old ? 2 : 1;
    return load;
  }

  // ---- calls

  SharedElement call(const Node& node) {
    if (node.text == "old") {
      const int buffer = old(node);
      return buffer < 0 ? nullptr : without_index(buffer);
    }
    const auto* reduction = row_of_name(kReductions, node.text);
    if (reduction != nullptr && (!reduction->is_function || has_new_index(node)))
      return reduce(node, reduction->reduction);
    Parts parts = parts_of(node);
    if (error_) return nullptr;
    return node.text == "random" ? random(std::move(parts)) : function(node.text, std::move(parts));
  }
  // min(k, 0, N, ...), not min(a, b).
  bool has_new_index(const Node& call) const {
    return call.parts.size() > 1 && call.parts[0].kind == Node::Kind::name && !is_known(call.parts[0].text);
  }

  SharedElement reduce(const Node& node, Reduction reduction) {
    const std::string form =
        fmt::format("write {0}(k, 0, N, in[k]): a name, from, to (left out) and the term", node.text);
    if (node.parts.size() < 2 || node.parts[0].kind != Node::Kind::name)
      return fail(node.text + " has no index", form);
    const std::string& name = node.parts[0].text;
    if (is_known(name)) return fail(name + " is already the name of something", "choose another index");
    if (node.parts.size() != 4)
      return fail(fmt::format("{} has {} arguments", node.text, node.parts.size()), form);
    SharedElement from = bound(node.parts[1]), to = bound(node.parts[2]);
    const int slot = expression_.indices++;
    if (slot >= kMostIndices) return fail("there are too many sums", "write fewer");
    bound_.push_back({name, slot});
    SharedElement term = bound(node.parts[3]);
    bound_.pop_back();
    if (error_) return nullptr;
    Made made = slotted(Kind::reduce, slot, {from, to, term});
    made->reduction = reduction;
    made->id = expression_.reductions++;
    made->uses = from->uses | to->uses | (term->uses & ~(std::uint64_t{1} << slot));
    return made;
  }

  SharedElement random(Parts parts) {
    if (parts.size() != 2 || names_.indices.empty())
      return fail(fmt::format("random has {} arguments", parts.size()), "write random(0, 256)");
    Made node = made(Kind::random, std::move(parts));
    node->uses |= 1;  // of the element that is made
    return node;
  }

  SharedElement function(std::string_view name, Parts parts) {
    const auto functions = element_functions();
    const auto* found = row_of_name(functions, name);
    if (found == nullptr && name.size() > 1 && name.back() == 'f')
      found = row_of_name(functions, name.substr(0, name.size() - 1));
    if (found == nullptr) return unknown_function(name);
    const auto count = static_cast<int>(parts.size());
    if (count < found->least_arguments || count > found->most_arguments)
      return fail(fmt::format("{} has {} arguments", name, count),
                  fmt::format("give it {}{}", found->least_arguments,
                              found->least_arguments == found->most_arguments ? "" : " or more"));
    return slotted(Kind::call, static_cast<int>(found - functions.data()), std::move(parts));
  }
  std::nullptr_t unknown_function(std::string_view name) {
    std::vector<std::string_view> known{"old", "random"};
    for (const ElementFunction& one : element_functions()) known.push_back(one.name);
    for (const ReductionName& one : kReductions) known.push_back(one.name);
    return fail(fmt::format("unknown function {}", name),
                fmt::format("use one of {}", fmt::join(known, ", ")));
  }

  struct Bound {
    std::string name;
    int slot;
  };
  std::string_view text_;
  const ElementNames& names_;
  ElementExpression expression_;
  std::vector<Bound> bound_;
  std::optional<Error> error_;
};

// Where a "==" stands in no bracket; npos where none does.
std::size_t outer_comparison(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
    if (depth == 0 && text.substr(at, 2) == "==") return at;
  }
  return std::string_view::npos;
}

// "C[row, column]": an element of a buffer, with as many indices as it has at most.
std::optional<Node> element_of(std::string_view text, const ElementNames& names) {
  auto left = expression::parse(text, expression::element_dialect());
  if (!left || left->kind != Node::Kind::element || left->begin != 0) return std::nullopt;
  const auto* buffer = row_of_name(names.buffers, left->parts[0].text);
  if (left->parts[0].kind != Node::Kind::name || buffer == nullptr) return std::nullopt;
  if (left->parts.size() > (buffer->is_matrix ? 3u : 2u)) return std::nullopt;
  return *std::move(left);
}

// out[i] == right, for all i; or of the one element out[2 * N].
Result<ElementCheck> value_check(ElementCheck check, const Node& left, std::string_view left_text,
                                 std::string_view right, ElementNames names) {
  const std::string& output = left.parts[0].text;
  const std::span<const Node> places = std::span(left.parts).subspan(1);
  check.is_value = true;
  check.output = static_cast<int>(row_of_name(names.buffers, output) - names.buffers.data());
  check.is_matrix = places.size() == 2;
  const bool is_free = std::all_of(places.begin(), places.end(), [&](const Node& place) {
    return place.kind == Node::Kind::name &&
           std::find(names.numbers.begin(), names.numbers.end(), place.text) == names.numbers.end();
  });
  if (is_free) names.indices.clear();
  for (const Node& place : places) {
    if (is_free) {
      names.indices.push_back(place.text);
      continue;
    }
    auto at = ElementBinder(left_text.substr(place.begin, place.end - place.begin), names).whole(place);
    if (!at)
      return Error{
          at.error().message,
          fmt::format("the left side names one element, such as {0}[i] for each or {0}[0] for the first",
                      output)};
    check.at.push_back(*std::move(at));
  }
  auto value = ElementExpression::parse(right, names);
  if (!value) return value.error();
  check.right = *std::move(value);
  return check;
}

}  // namespace

Result<ElementExpression> ElementExpression::parse(std::string_view text, const ElementNames& names) {
  const auto root = expression::parse(text, expression::element_dialect());
  if (!root) return expression::in_words(root.error(), text);
  return ElementBinder(text, names).whole(*root);
}

Result<ElementCheck> ElementCheck::parse(std::string_view text, ElementNames names) {
  ElementCheck check;
  check.text = std::string(text);
  if (const std::size_t equals = outer_comparison(text); equals != std::string_view::npos) {
    const std::string_view left_text = trimmed(text.substr(0, equals));
    if (const auto left = element_of(left_text, names))
      return value_check(std::move(check), *left, left_text, trimmed(text.substr(equals + 2)),
                         std::move(names));
  }
  names.indices = {"i"};
  auto whole = ElementExpression::parse(text, names);
  if (!whole) return whole.error();
  check.right = *std::move(whole);
  const auto read =
      std::find_if(check.right.read.begin(), check.right.read.end(), [](auto r) { return (r & 1) != 0; });
  if (read == check.right.read.end())
    return Error{fmt::format("\"{}\" looks at no buffer", text), "write such as out[i] == in[i] + 1"};
  check.output = static_cast<int>(read - check.right.read.begin());
  return check;
}

}  // namespace warplens::problem
