// Recursive descent, one function a level of precedence, which are those of engine/catalog/expression.hpp:
//   choice    either ? choice : choice
//   either    both || both ...                  (or)
//   both      compared && compared ...          (and)
//   compared  sum (== != < <= > >=) sum
//   sum       product (+ -) product ...
//   product   unary (* / %) unary ...
//   unary     - unary | ! unary | power         (not)
//   power     primary ^ unary
//   primary   number | name | element | function(arguments) | sum(name, from, to, term) | (choice)
//   element   buffer [ choice ] | buffer [ choice , choice ] | buffer [ choice ] [ choice ], buffer or
//   old(buffer)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/base/code_text.hpp"
#include "engine/catalog/near.hpp"
#include "engine/problem/elements/element_expression.hpp"
#include "engine/problem/elements/element_functions.hpp"

namespace warplens::problem {
namespace {

using Kind = ElementNode::Kind;

constexpr int kDeepest = 60;  // parentheses, signs and calls in one another
constexpr int kMostIndices = 24;

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct ReductionName {
  std::string_view name;
  Reduction reduction;
};
constexpr ReductionName kReductions[] = {{"sum", Reduction::sum},     {"product", Reduction::product},
                                         {"min", Reduction::least},   {"max", Reduction::largest},
                                         {"count", Reduction::count}, {"any", Reduction::any},
                                         {"all", Reduction::all}};

struct OpName {
  std::string_view sign;
  ElementOp op;
};
constexpr OpName kEither[] = {{"||", ElementOp::either}, {"or", ElementOp::either}};
constexpr OpName kBoth[] = {{"&&", ElementOp::both}, {"and", ElementOp::both}};
constexpr OpName kCompared[] = {{"==", ElementOp::equal},   {"!=", ElementOp::unequal},
                                {"<=", ElementOp::at_most}, {">=", ElementOp::at_least},
                                {"<", ElementOp::less},     {">", ElementOp::more}};
constexpr OpName kSum[] = {{"+", ElementOp::add}, {"-", ElementOp::subtract}};
constexpr OpName kProduct[] = {
    {"*", ElementOp::multiply}, {"/", ElementOp::divide}, {"%", ElementOp::remainder}};

class ElementParser {
 public:
  ElementParser(std::string_view text, const ElementNames& names) : text_(text), names_(names) {
    expression_.text = text;
    expression_.read.resize(names.buffers.size());
    for (const std::string& index : names.indices) bound_.push_back({index, expression_.indices++});
  }

  Result<ElementExpression> whole() {
    expression_.root = choice();
    if (expression_.root && peek() != '\0')
      fail(fmt::format("'{}' is not understood in \"{}\"", rest(), text_),
           peek() == '=' ? "write == to compare" : "remove it, or put an operator before it");
    if (error_) return *error_;
    return std::move(expression_);
  }

 private:
  using Level = SharedElement (ElementParser::*)();
  using Made = std::shared_ptr<ElementNode>;

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string_view rest() const { return text_.substr(at_, 12); }

  std::nullptr_t fail(std::string message, std::string next_step) {
    if (!error_) error_ = Error{std::move(message), std::move(next_step)};
    return nullptr;
  }

  bool take(std::string_view sign) {
    peek();
    const std::size_t end = at_ + sign.size();
    if (!text_.substr(std::min(at_, text_.size())).starts_with(sign)) return false;
    if (starts_name(sign.front()) && end < text_.size() && is_of_name(text_[end])) return false;
    at_ = end;
    return true;
  }
  bool expect(std::string_view sign, std::string_view why) {
    if (take(sign)) return true;
    fail(fmt::format("a '{}' is missing in \"{}\"", sign, text_), std::string(why));
    return false;
  }

  static Made made(Kind kind, std::vector<SharedElement> parts = {}) {
    auto node = std::make_shared<ElementNode>();
    node->kind = kind;
    node->parts = std::move(parts);
    for (const SharedElement& part : node->parts) node->uses |= part->uses;
    return node;
  }

  SharedElement binary(Level below, std::span<const OpName> signs, bool once = false) {
    SharedElement left = (this->*below)();
    for (int count = 0; left; ++count) {
      const auto found =
          std::find_if(signs.begin(), signs.end(), [&](const OpName& s) { return take(s.sign); });
      if (found == signs.end()) break;
      if (once && count > 0)
        return fail(fmt::format("two comparisons stand in a row in \"{}\"", text_), "join them with &&");
      SharedElement right = (this->*below)();
      if (!right) return nullptr;
      Made node = made(Kind::binary, {left, right});
      node->op = found->op;
      left = node;
    }
    return left;
  }

  SharedElement choice() {
    if (++depth_ > kDeepest)
      return fail(fmt::format("\"{}\" is nested too deeply", text_), "write it in fewer parentheses");
    SharedElement node = binary(&ElementParser::both, kEither);
    if (node && take("?")) {
      SharedElement yes = choice();
      if (!yes || !expect(":", "write it as a ? b : c")) return nullptr;
      SharedElement no = choice();
      node = no ? made(Kind::choose, {node, yes, no}) : nullptr;
    }
    --depth_;
    return node;
  }
  SharedElement both() { return binary(&ElementParser::compared, kBoth); }
  SharedElement compared() { return binary(&ElementParser::sum, kCompared, true); }
  SharedElement sum() { return binary(&ElementParser::product, kSum); }
  SharedElement product() { return binary(&ElementParser::unary, kProduct); }

  SharedElement unary() {
    const bool negates = take("-");
    const bool denies =
        !negates && ((peek() == '!' && !text_.substr(at_).starts_with("!=") && take("!")) || take("not"));
    if (!negates && !denies) return take("+") ? unary() : power();
    if (++depth_ > kDeepest)
      return fail(fmt::format("\"{}\" is nested too deeply", text_), "write it with fewer signs");
    SharedElement of = unary();
    --depth_;
    return of ? made(negates ? Kind::negate : Kind::negation, {of}) : nullptr;
  }

  // -2^2 is -4, and 2^-1 is a half.
  SharedElement power() {
    SharedElement base = primary();
    if (!base || !take("^")) return base;
    if (++depth_ > kDeepest)
      return fail(fmt::format("\"{}\" is nested too deeply", text_), "write it with fewer powers");
    SharedElement exponent = unary();
    --depth_;
    if (!exponent) return nullptr;
    Made node = made(Kind::binary, {base, exponent});
    node->op = ElementOp::power;
    return node;
  }

  SharedElement primary() {
    const char c = peek();
    if (take("(")) {
      SharedElement inside = choice();
      return inside && expect(")", "close the parenthesis") ? inside : nullptr;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (starts_name(c)) return named();
    return c == '\0' ? fail(fmt::format("\"{}\" ends too early", text_), "complete it")
                     : fail(fmt::format("'{}' is not understood in \"{}\"", rest(), text_),
                            "write a number, a name or a parenthesis");
  }

  SharedElement number() {
    Made node = made(Kind::number);
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node->number);
    if (code != std::errc())
      return fail(fmt::format("'{}' is no number in \"{}\"", rest(), text_), "correct it");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (text_[at_] == 'f' || text_[at_] == 'F') &&
        (at_ + 1 == text_.size() || !is_of_name(text_[at_ + 1])))
      ++at_;  // 0.5f, as it stands in the kernel
    return node;
  }

  std::string word() {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  int buffer_named(std::string_view name) const {
    for (std::size_t b = 0; b < names_.buffers.size(); ++b)
      if (names_.buffers[b].name == name) return static_cast<int>(b);
    return -1;
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

  SharedElement named() {
    const std::string name = word();
    if (peek() == '(') return call(name);
    if (const int index = index_named(name); index >= 0) {
      Made node = made(Kind::index);
      node->slot = index;
      node->uses = std::uint64_t{1} << index;
      return node;
    }
    if (const int slot = number_named(name); slot >= 0) {
      Made node = made(Kind::named);
      node->slot = slot;
      return node;
    }
    if (const int buffer = buffer_named(name); buffer >= 0) return element(buffer, false);
    const auto constant = name == "WARP" ? 32 : name == "pi" ? 3.14159265358979323846 : 0.0;
    if (constant != 0 || name == "inf") {
      Made node = made(Kind::number);
      node->number = name == "inf" ? std::numeric_limits<double>::infinity() : constant;
      return node;
    }
    return unknown(name);
  }

  SharedElement unknown(const std::string& name) {
    std::vector<std::string> known;
    for (const auto& buffer : names_.buffers) known.push_back(buffer.name);
    for (const Bound& bound : bound_) known.push_back(bound.name);
    for (const std::string& number : names_.numbers)
      if (!number.starts_with("COLUMNS_")) known.push_back(number);  // those are made of row and column
    const auto near = catalog::near_names(name, known, 1);
    return fail(fmt::format("unknown name {} in \"{}\"", name, text_),
                near.empty() ? fmt::format("use one of {}", fmt::join(known, ", "))
                             : fmt::format("did you mean {}? the names here are {}", near.front(),
                                           fmt::join(known, ", ")));
  }

  SharedElement element(int buffer, bool is_old) {
    const ElementNames::Buffer& what = names_.buffers[static_cast<std::size_t>(buffer)];
    if (!take("["))
      return fail(fmt::format("{} stands in \"{}\" without an index", what.name, text_),
                  fmt::format("write an element of it, such as {}",
                              what.is_matrix ? what.name + "[row, column]" : what.name + "[i]"));
    std::vector<SharedElement> parts;
    do {
      parts.push_back(choice());
      if (!parts.back()) return nullptr;
      if (take(",")) continue;
      if (!expect("]", "close the bracket")) return nullptr;
      if (!take("[")) break;
    } while (true);
    if (parts.size() > (what.is_matrix ? 2u : 1u))
      return fail(fmt::format("{} has {} indices in \"{}\"", what.name, parts.size(), text_),
                  what.is_matrix ? "give row and column, or its place in memory"
                                 : "give one, or give the buffer a shape = [\"rows\", \"columns\"]");
    Made node = made(Kind::load, std::move(parts));
    node->slot = buffer;
    node->is_old = is_old;
    expression_.read[static_cast<std::size_t>(buffer)] |= is_old ? 2 : 1;
    return node;
  }

  SharedElement call(const std::string& name) {
    take("(");
    if (name == "old") return old();
    for (const ReductionName& row : kReductions)
      if (row.name == name && (name != "min" && name != "max" ? true : is_reduction())) return reduce(row);
    std::vector<SharedElement> parts;
    if (!take(")")) {
      do {
        parts.push_back(choice());
        if (!parts.back()) return nullptr;
      } while (take(","));
      if (!expect(")", fmt::format("close the parenthesis of {}", name))) return nullptr;
    }
    if (name == "random") return random(std::move(parts));
    return function(name, std::move(parts));
  }

  SharedElement old() {
    const std::string name = word();
    const int buffer = buffer_named(name);
    if (buffer < 0)
      return fail(fmt::format("old({}) is of no buffer in \"{}\"", name, text_), "name one: old(out)[i]");
    return expect(")", "write old(out)[i]") ? element(buffer, true) : nullptr;
  }

  // Whether a name that nothing has stands here, and a comma: min(k, 0, N, ...), not min(a, b).
  bool is_reduction() {
    const std::size_t before = at_;
    const std::string name = word();
    const bool is_new = !name.empty() && starts_name(name.front()) && peek() == ',' &&
                        index_named(name) < 0 && number_named(name) < 0 && buffer_named(name) < 0;
    at_ = before;
    return is_new;
  }

  SharedElement reduce(const ReductionName& row) {
    const std::string form =
        fmt::format("write {0}(k, 0, N, in[k]): a name, from, to (left out) and the term", row.name);
    const std::string name = word();
    if (name.empty() || !starts_name(name.front()) || !take(","))
      return fail(fmt::format("{} has no index in \"{}\"", row.name, text_), form);
    if (index_named(name) >= 0 || number_named(name) >= 0 || buffer_named(name) >= 0)
      return fail(fmt::format("{} is already the name of something in \"{}\"", name, text_),
                  "choose another index");
    SharedElement from = choice();
    if (!from || !expect(",", form)) return nullptr;
    SharedElement to = choice();
    if (!to || !expect(",", form)) return nullptr;
    const int slot = expression_.indices++;
    if (slot >= kMostIndices) return fail(fmt::format("\"{}\" has too many sums", text_), "write fewer");
    bound_.push_back({name, slot});
    SharedElement term = choice();
    bound_.pop_back();
    if (!term || !expect(")", form)) return nullptr;
    Made node = made(Kind::reduce, {from, to, term});
    node->slot = slot;
    node->reduction = row.reduction;
    node->id = expression_.reductions++;
    node->uses = from->uses | to->uses | (term->uses & ~(std::uint64_t{1} << slot));
    return node;
  }

  SharedElement random(std::vector<SharedElement> parts) {
    if (parts.size() != 2 || names_.indices.empty())
      return fail(fmt::format("random has {} arguments in \"{}\"", parts.size(), text_),
                  "write random(0, 256)");
    Made node = made(Kind::random, std::move(parts));
    node->uses |= 1;  // of the element that is made
    return node;
  }

  SharedElement function(const std::string& name, std::vector<SharedElement> parts) {
    const auto functions = element_functions();
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const ElementFunction& f) {
      return f.name == name ||
             (name.size() > 1 && name.back() == 'f' && f.name == name.substr(0, name.size() - 1));
    });
    if (found == functions.end()) {
      std::vector<std::string_view> known{"old", "random"};
      for (const ElementFunction& one : functions) known.push_back(one.name);
      for (const ReductionName& one : kReductions) known.push_back(one.name);
      return fail(fmt::format("unknown function {} in \"{}\"", name, text_),
                  fmt::format("use one of {}", fmt::join(known, ", ")));
    }
    const auto count = static_cast<int>(parts.size());
    if (count < found->least_arguments || count > found->most_arguments)
      return fail(fmt::format("{} has {} arguments in \"{}\"", name, count, text_),
                  found->least_arguments == found->most_arguments
                      ? fmt::format("give it {}", found->least_arguments)
                      : fmt::format("give it {} or more", found->least_arguments));
    Made node = made(Kind::call, std::move(parts));
    node->slot = static_cast<int>(found - functions.begin());
    return node;
  }

  struct Bound {
    std::string name;
    int slot;
  };
  std::string_view text_;
  const ElementNames& names_;
  ElementExpression expression_;
  std::vector<Bound> bound_;
  std::size_t at_ = 0;
  int depth_ = 0;
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

// "C[row, column]" or "C[row][column]" as C, row, column; empty where it is anything else.
std::vector<std::string> parts_of_element(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']') return {};
  std::vector<std::string> parts{std::string(trimmed(text.substr(0, open)))};
  if (parts[0].empty() || !std::all_of(parts[0].begin(), parts[0].end(), is_of_name)) return {};
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '(') ++depth;
    if (text[at] == ']' || text[at] == ')') --depth;
    if (depth == 0 && text[at] != ']' && text[at] != '[' && text[at] != ' ') return {};
    const bool ends = (depth == 0 && text[at] == ']') || (depth == 1 && text[at] == ',');
    if (!ends) continue;
    parts.emplace_back(trimmed(text.substr(begin, at - begin)));
    begin = text.find_first_not_of(" \t", at + 1);
    if (begin != std::string_view::npos && text[begin] == '[') ++begin;
  }
  return parts;
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && starts_name(text.front()) && std::all_of(text.begin(), text.end(), is_of_name);
}

}  // namespace

Result<ElementExpression> ElementExpression::parse(std::string_view text, const ElementNames& names) {
  return ElementParser(text, names).whole();
}

Result<ElementCheck> ElementCheck::parse(std::string_view text, ElementNames names) {
  ElementCheck check;
  check.text = std::string(text);
  const std::size_t equals = outer_comparison(text);
  std::vector<std::string> left;
  if (equals != std::string_view::npos) left = parts_of_element(trimmed(text.substr(0, equals)));
  const auto buffer = std::find_if(names.buffers.begin(), names.buffers.end(),
                                   [&](const auto& b) { return !left.empty() && b.name == left[0]; });
  check.is_value = buffer != names.buffers.end() && left.size() <= (buffer->is_matrix ? 3u : 2u);
  const auto known = [&](const std::string& name) {
    return std::find(names.numbers.begin(), names.numbers.end(), name) != names.numbers.end();
  };
  if (check.is_value) {
    check.output = static_cast<int>(buffer - names.buffers.begin());
    check.is_matrix = left.size() == 3;
    const bool free = std::all_of(left.begin() + 1, left.end(), [&](const std::string& part) {
      return is_plain_name(part) && !known(part);
    });
    if (free) {
      names.indices.assign(left.begin() + 1, left.end());
    } else {
      for (std::size_t part = 1; part < left.size(); ++part) {
        auto place = ElementExpression::parse(left[part], names);
        if (!place)
          return Error{
              place.error().message,
              fmt::format("the left side names one element, such as {0}[i] for each or {0}[0] for the first",
                          left[0])};
        check.at.push_back(*std::move(place));
      }
    }
    auto right = ElementExpression::parse(trimmed(text.substr(equals + 2)), names);
    if (!right) return right.error();
    check.right = *std::move(right);
    return check;
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
