// Recursive descent, one function a level of precedence:
//   choice    either ? choice : choice
//   either    both or both ...
//   both      negation and negation ...
//   negation  not negation | comparison
//   compared  sum (== != < <= > >=) sum
//   sum       product (+ -) product ...
//   product   unary (* / %) unary ...
//   unary     - unary | power
//   power     primary ^ unary
//   primary   number | 'text' | name | name(arguments) | primary.name | (choice)
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/lesson/evaluator.hpp"
#include "engine/lesson/expression_tree.hpp"

namespace warplens::lesson {
namespace {

constexpr int kDeepest = 100;  // parentheses, signs and calls in one another

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<SharedNode> whole() {
    SharedNode node = choice();
    if (node && peek() != '\0')
      fail(fmt::format("'{}' is not understood here", rest()),
           peek() == '=' ? "write == to compare" : "remove it, or put an operator before it");
    if (error_) return *error_;
    return node;
  }

 private:
  using Level = SharedNode (Parser::*)();

  char peek() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string_view rest() { return text_.substr(at_, 12); }

  SharedNode fail(std::string message, std::string next_step) {
    if (!error_)
      error_ = Error{std::move(message), std::move(next_step), Place{"", 0, static_cast<int>(at_) + 1}};
    return nullptr;
  }

  // The first of these signs or words, with spaces between them, that stands here.
  std::string_view take(std::string_view signs) {
    peek();
    while (!signs.empty()) {
      const std::string_view sign = signs.substr(0, signs.find(' '));
      signs.remove_prefix(std::min(sign.size() + 1, signs.size()));
      const std::size_t end = at_ + sign.size();
      if (!text_.substr(at_).starts_with(sign)) continue;
      if (starts_name(sign.front()) && end < text_.size() && is_of_name(text_[end])) continue;
      if (sign == "=" && end < text_.size() && text_[end] == '=') continue;
      at_ = end;
      return sign;
    }
    return {};
  }

  SharedNode made(Node::Kind kind, std::size_t begin, std::vector<SharedNode> parts,
                  std::string_view text = {}) {
    auto node = std::make_shared<Node>();
    node->kind = kind, node->text = text, node->parts = std::move(parts);
    node->begin = begin, node->end = at_;
    return node;
  }

  SharedNode binary(Level below, std::string_view signs, bool once = false) {
    peek();
    const std::size_t begin = at_;
    SharedNode left = (this->*below)();
    for (int count = 0; left; ++count) {
      const std::string_view sign = take(signs);
      if (sign.empty()) break;
      if (once && count > 0) return fail("two comparisons stand in a row", "join them with 'and'");
      SharedNode right = (this->*below)();
      if (!right) return nullptr;
      left = made(Node::Kind::binary, begin, {left, right}, sign);
    }
    return left;
  }

  SharedNode choice() {
    if (++depth_ > kDeepest) return fail("this is nested too deeply", "write it in fewer parentheses");
    peek();
    const std::size_t begin = at_;
    SharedNode node = either();
    if (node && !take("?").empty()) {
      SharedNode yes = choice();
      if (yes && take(":").empty()) return fail("a ':' is missing", "write it as a ? b : c");
      SharedNode no = yes ? choice() : nullptr;
      node = no ? made(Node::Kind::choose, begin, {node, yes, no}) : nullptr;
    }
    --depth_;
    return node;
  }
  SharedNode either() { return binary(&Parser::both, "or"); }
  SharedNode both() { return binary(&Parser::negation, "and"); }
  SharedNode compared() { return binary(&Parser::sum, "== != <= >= < >", true); }
  SharedNode sum() { return binary(&Parser::product, "+ -"); }
  SharedNode product() { return binary(&Parser::unary, "* / %"); }

  SharedNode prefixed(std::string_view sign, Node::Kind kind, Level below, Level otherwise) {
    peek();
    const std::size_t begin = at_;
    if (take(sign).empty()) return (this->*otherwise)();
    if (++depth_ > kDeepest) return fail("this is nested too deeply", "write it with fewer signs");
    SharedNode of = (this->*below)();
    --depth_;
    return of ? made(kind, begin, {of}) : nullptr;
  }
  SharedNode negation() {
    return prefixed("not", Node::Kind::negation, &Parser::negation, &Parser::compared);
  }
  SharedNode unary() { return prefixed("-", Node::Kind::negate, &Parser::unary, &Parser::power); }

  // -2^2 is -4, and 2^-1 is a half.
  SharedNode power() {
    peek();
    const std::size_t begin = at_;
    SharedNode base = primary();
    if (!base || take("^").empty()) return base;
    if (++depth_ > kDeepest) return fail("this is nested too deeply", "write it with fewer powers");
    SharedNode exponent = unary();
    --depth_;
    return exponent ? made(Node::Kind::binary, begin, {base, exponent}, "^") : nullptr;
  }

  SharedNode primary() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      SharedNode inside = choice();
      if (inside && take(")").empty()) return fail("a ')' is missing", "close the parenthesis");
      return inside;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (c == '\'' || c == '"') return quoted(c);
    if (starts_name(c)) return named();
    return c == '\0' ? fail("the expression ends too early", "complete it")
                     : fail(fmt::format("'{}' is not understood here", rest()),
                            "write a number, a name or a parenthesis");
  }

  SharedNode number() {
    const std::size_t begin = at_;
    double value = 0;
    const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc()) return fail(fmt::format("'{}' is no number", rest()), "correct it");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && is_of_name(text_[at_]))
      return fail(fmt::format("'{}' is no number", text_.substr(begin, 12)),
                  "write numbers without separators and units");
    auto node = std::make_shared<Node>();
    node->number = value, node->begin = begin, node->end = at_;
    return node;
  }

  SharedNode quoted(char quote) {
    const std::size_t begin = at_++, end = text_.find(quote, at_);
    if (end == std::string_view::npos) return fail("a text has no end", "close its quotes");
    std::string text(text_.substr(at_, end - at_));
    at_ = end + 1;
    return made(Node::Kind::text, begin, {}, text);
  }

  std::string word() {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  SharedNode named() {
    const std::size_t begin = at_;
    SharedNode node = name_or_call(nullptr, begin);
    for (bool is_first = true; node; is_first = false) {
      const std::size_t before = at_;
      const bool opens = node->kind == Node::Kind::call && is_record(*node);
      if (take(".").empty()) {
        if (opens)
          return fail(fmt::format("{}() is no number by itself", node->text),
                      fmt::format("say what of it: {}(...).{}", node->text,
                                  side_of(node->text) == Side::run ? "blocks" : "seconds"));
        return node;
      }
      if (!is_first || !opens) {
        at_ = before;
        return fail(
            "there is nothing behind a '.' here",
            "only run(), recorded(), tuned(), predicted() and what is measured of transfers have parts");
      }
      if (!starts_name(peek()))
        return fail("a name is missing behind the '.'", "write such as run(...).sectors('A')");
      node = name_or_call(node, begin);
    }
    return nullptr;
  }
  static bool is_record(const Node& node) { return !node.of && side_of(node.text); }

  SharedNode name_or_call(SharedNode of, std::size_t begin) {
    const std::size_t start = at_;
    auto made = std::make_shared<Node>();
    Node& node = *made;
    node.kind = Node::Kind::name, node.text = word(), node.of = std::move(of), node.begin = begin;
    if (node.text == "and" || node.text == "or" || node.text == "not")
      return at_ = start, fail(fmt::format("'{}' has nothing before it", node.text), "complete it");
    const Side side = node.of ? *side_of(node.of->text) : Side::own;
    if (peek() == '(') {
      ++at_;
      node.kind = Node::Kind::call;
      if (!arguments(node)) return nullptr;
    }
    node.end = at_;
    const Status known = node.kind == Node::Kind::call           ? check_call(side, node)
                         : is_argument_ && node.text == "access" ? Status(Done{})
                                                                 : check_name(side, node.text);
    if (!known) return at_ = start, fail(known.error().message, known.error().next_step);
    return made;
  }

  bool arguments(Node& node) {
    if (!take(")").empty()) return true;
    do {
      if (!argument(node)) return false;
    } while (!take(",").empty());
    if (take(")").empty())
      fail(fmt::format("a ')' is missing behind the arguments of {}", node.text), "close the parenthesis");
    return !error_;
  }

  bool argument(Node& node) {
    peek();
    const std::size_t before = at_;
    if (const std::string name = word(); !name.empty() && starts_name(name[0]) && !take("=").empty()) {
      SharedNode value = choice();
      if (value) node.named.emplace_back(name, value);
      return value != nullptr;
    }
    at_ = before;
    const bool outer = std::exchange(is_argument_, true);
    SharedNode value = choice();
    is_argument_ = outer;
    if (value) node.parts.push_back(value);
    return value != nullptr;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool is_argument_ = false;
  std::optional<Error> error_;
};

}  // namespace

Result<SharedNode> parse_expression(std::string_view text) { return Parser(text).whole(); }

}  // namespace warplens::lesson
