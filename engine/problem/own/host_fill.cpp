// What host code puts into the arrays that it copies to the device, where one loop says it: "h[i] = i % 7;".
#include <fmt/format.h>

#include <cmath>

#include "engine/base/code_text.hpp"
#include "engine/expression/dialects.hpp"
#include "engine/expression/parser.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

using expression::Node, expression::Op;
using Text = std::optional<std::string>;

bool is_c_type(std::string_view text) { return source::read_type(text).has_value(); }

std::string_view sign_of(Op op) {
  switch (op) {
    case Op::either:
      return "||";
    case Op::both:
      return "&&";
    case Op::equal:
      return "==";
    case Op::unequal:
      return "!=";
    case Op::less:
      return "<";
    case Op::at_most:
      return "<=";
    case Op::more:
      return ">";
    case Op::at_least:
      return ">=";
    case Op::add:
      return "+";
    case Op::subtract:
      return "-";
    case Op::multiply:
      return "*";
    case Op::remainder:
      return "%";
    default:
      return "";
  }
}

// An expression of whole numbers of the host's in the words of a front matter's fill; empty: it has none.
class Fill {
 public:
  Fill(std::string_view index, const HostCode::Named& named) : index_(index), named_(named) {}

  Text text(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::number:
        return node.number == std::floor(node.number) ? Text(fmt::format("{:.0f}", node.number)) : Text();
      case Node::Kind::name:
        return node.text == index_ ? Text("i") : named_(node.text);
      case Node::Kind::cast:
        return text(node.parts[0]);
      case Node::Kind::choose:
        return joined({node.parts[0], node.parts[1], node.parts[2]}, "({} ? {} : {})");
      case Node::Kind::prefix:
        return node.op == Op::negate ? joined({node.parts[0]}, "(-{})") : Text();
      case Node::Kind::infix:
        return infix(node);
      default:
        return std::nullopt;
    }
  }

 private:
  Text joined(std::initializer_list<Node> nodes, std::string_view form) const {
    std::vector<std::string> parts;
    for (const Node& node : nodes) {
      auto part = text(node);
      if (!part) return std::nullopt;
      parts.push_back(*std::move(part));
    }
    if (parts.size() == 1) return fmt::format(fmt::runtime(form), parts[0]);
    if (parts.size() == 2) return fmt::format(fmt::runtime(form), parts[0], parts[1]);
    return fmt::format(fmt::runtime(form), parts[0], parts[1], parts[2]);
  }
  static bool is_rand(const Node& node) { return node.kind == Node::Kind::call && node.text == "rand"; }
  Text infix(const Node& node) const {
    const Node &left = node.parts[0], &right = node.parts[1];
    if (is_rand(left)) return node.op == Op::remainder ? joined({right}, "random(0, {})") : Text();
    if (node.op == Op::divide) return joined({left, right}, "floor({} / {})");
    if (node.op == Op::bit_and && right.kind == Node::Kind::number &&
        (static_cast<std::int64_t>(right.number) & (static_cast<std::int64_t>(right.number) + 1)) == 0) {
      const auto of = text(left);
      return of ? Text(fmt::format("({} % {:.0f})", *of, right.number + 1)) : Text();
    }
    const std::string_view sign = sign_of(node.op);
    return sign.empty() ? Text() : joined({left, right}, fmt::format("({{}} {} {{}})", sign));
  }

  std::string_view index_;
  const HostCode::Named& named_;
};

}  // namespace

// The array of the host that is copied to the device, or the pointer itself where both share the memory.
std::string_view HostCode::filled_from(std::string_view pointer, std::size_t launch) const {
  const PointerCall copy = call_on(pointer, {"cudaMemcpy", "cudaMemcpyAsync"}, launch);
  if (copy.arguments.size() >= 2 && copy.at < launch) return pointer_name(copy.arguments[1]);
  const PointerCall managed = call_on(pointer, {"cudaMallocManaged"}, launch);
  return managed.arguments.empty() ? std::string_view() : pointer_name(pointer);
}

// Of "h[i] = i % 7;" in a loop over i, the only such statement, what it puts there.
std::optional<std::string> HostCode::fill_text(std::string_view pointer, std::size_t launch,
                                               const Named& size_called) const {
  const std::string_view plain = plain_, name = filled_from(pointer, launch);
  const auto function = flow_->function_of(launch);
  std::string_view index, value;
  std::size_t place = 0;
  for (std::size_t at = name.empty() ? std::string_view::npos : find_word(plain, name);
       at != std::string_view::npos && at < launch && read_ <= kMostRead;
       at = find_word(plain, name, at + 1)) {
    read_ += 64;
    const std::size_t open = source::behind_blanks(plain, at + name.size());
    if (flow_->function_of(at) != function || open >= plain.size() || plain[open] != '[') continue;
    const std::size_t close = closing(plain, open);
    if (close == std::string_view::npos) continue;
    const std::string_view inside = trimmed(plain.substr(open + 1, close - open - 1));
    const std::size_t equals = source::behind_blanks(plain, close + 1);
    const bool is_set = equals + 1 < plain.size() && plain[equals] == '=' && plain[equals + 1] != '=';
    if (!is_set || inside.empty() || source::word_at(inside, 0) != inside) continue;
    const bool is_in_loop = reached({at, "", {}}, launch, 0) == HostFlow::Reached::several_times;
    if (!value.empty() || !is_in_loop) return std::nullopt;  // one of two, or of an if
    index = inside, place = at;
    value = trimmed(plain.substr(equals + 1, plain.find(';', equals) - equals - 1));
  }
  const auto root = value.empty() ? std::nullopt
                                  : std::optional(expression::parse(value, expression::c_dialect(is_c_type)));
  if (!root || !*root) return std::nullopt;
  const Named named = [&](std::string_view word) -> std::optional<std::string> {
    if (auto size = size_called(word)) return size;
    const auto known = whole(number(word, place, 0));
    return known ? std::optional(std::to_string(*known)) : std::nullopt;
  };
  return Fill(index, named).text(**root);
}

// Bytes of an array that the host declares: "int rows[N + 1]".
std::optional<double> HostCode::size_of_array(std::string_view name, std::size_t before, int depth) const {
  const std::string_view plain = plain_;
  for (std::size_t at = find_word(plain, name); at != std::string_view::npos;
       at = find_word(plain, name, at + 1)) {
    if ((read_ += 64) > kMostRead) return std::nullopt;
    std::size_t open = source::behind_blanks(plain, at + name.size());
    const std::size_t statement = plain.find_last_of(";{}", at);
    const std::string_view declared = trimmed(plain.substr(statement + 1, at - statement - 1));
    const std::string_view first = declared.substr(0, declared.find_first_of("[=,*"));
    std::string_view type = trimmed(first);
    while (!type.empty() && !source::read_type(type)) {  // less the first array's name
      const std::string_view last = source::word_before(type, type.size());
      if (last.empty()) break;
      type = trimmed(type.substr(0, type.size() - last.size()));
    }
    const auto read = type.empty() ? std::nullopt : source::read_type(type);
    if (!read || open >= plain.size() || plain[open] != '[') continue;
    double bytes = static_cast<double>(read->bytes());
    while (open < plain.size() && plain[open] == '[') {
      const std::size_t close = closing(plain, open);
      if (close == std::string_view::npos) return std::nullopt;
      const auto extent = number(plain.substr(open + 1, close - open - 1), before, depth + 1);
      if (!extent) return std::nullopt;
      bytes *= *extent;
      open = source::behind_blanks(plain, close + 1);
    }
    return bytes;
  }
  return std::nullopt;
}

}  // namespace warplens::problem
