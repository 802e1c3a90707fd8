#include "engine/expression/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "engine/base/code_text.hpp"

namespace warplens::expression {
namespace {

using Kind = Node::Kind;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool starts_name(char c) { return is_of_name(c) && !is_digit(c); }

// What stands behind a whole expression, and what is meant instead.
struct Stray {
  char sign;
  std::string_view next_step;
};
constexpr std::array kStrays = {Stray{'=', "a single = compares nothing, write =="},
                                Stray{',', "a comma stands between the arguments of a function alone"},
                                Stray{')', "remove it, or open it with a '('"}};

// After the first error the text is at its end, so that everything that reads it ends too.
class Parser {
 public:
  Parser(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect) {}

  Result<Node> whole() {
    Node root = choice();
    if (start() < text_.size()) fail_behind();
    if (error_) return *std::move(error_);
    return root;
  }

 private:
  // ---- errors

  void fail_at(std::size_t place, std::string message, std::string next_step) {
    if (!error_)
      error_ = Error{std::move(message), std::move(next_step), Place{"", 0, static_cast<int>(place) + 1}};
    at_ = text_.size();
  }
  void fail(std::string message, std::string next_step) {
    fail_at(at_, std::move(message), std::move(next_step));
  }
  // The word or the sign that stands here.
  std::string here() const {
    if (!std::isprint(static_cast<unsigned char>(text_[at_]))) return "this character";
    std::size_t end = at_ + 1;
    while (is_of_name(text_[at_]) && end < text_.size() && is_of_name(text_[end])) ++end;
    return fmt::format("'{}'", text_.substr(at_, std::min<std::size_t>(end - at_, 30)));
  }
  void fail_behind() {
    const auto stray =
        std::find_if(kStrays.begin(), kStrays.end(), [&](const Stray& s) { return s.sign == text_[at_]; });
    fail(here() + " is not understood",
         stray == kStrays.end() ? "remove it, or put an operator before it" : std::string(stray->next_step));
  }
  void fail_operand() {
    const std::string example = fmt::format("for example {}", dialect_.example);
    if (at_ == text_.size())
      return fail(trimmed(text_).empty() ? "the expression is empty" : "the expression ends too early",
                  example);
    if (const Infix* infix = infix_here())
      return fail(fmt::format("'{}' has nothing before it", infix->sign), "complete it, or remove it");
    fail(here() + " is not understood", "write a number, a name or a parenthesis");
  }

  // ---- signs

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool stands(std::string_view sign) const {
    if (!text_.substr(at_).starts_with(sign)) return false;
    const std::size_t end = at_ + sign.size();
    return !(starts_name(sign.front()) && end < text_.size() && is_of_name(text_[end]));
  }
  bool take(std::string_view sign) {
    peek();
    if (!stands(sign)) return false;
    at_ += sign.size();
    return true;
  }
  // The longest one that stands here; null: none.
  template <class Row>
  const Row* longest(std::span<const Row> rows) const {
    const Row* found = nullptr;
    for (const Row& row : rows)
      if (stands(row.sign) && (found == nullptr || row.sign.size() > found->sign.size())) found = &row;
    return found;
  }
  const Infix* infix_here() { return peek() == '\0' ? nullptr : longest(dialect_.infix); }
  // "!" where "!=" stands is none.
  const Prefix* prefix_here(int least) {
    const Prefix* prefix = peek() == '\0' ? nullptr : longest(dialect_.prefix);
    if (prefix == nullptr || prefix->rank < least) return nullptr;
    const Infix* infix = longest(dialect_.infix);
    return infix != nullptr && infix->sign.size() > prefix->sign.size() ? nullptr : prefix;
  }

  // ---- nodes

  std::size_t start() {
    peek();
    return at_;
  }
  Node made(Kind kind, std::size_t begin, std::string_view text = {}) const {
    Node node;
    node.kind = kind, node.text = text;
    node.begin = static_cast<std::uint32_t>(begin), node.end = static_cast<std::uint32_t>(at_);
    return node;
  }
  void add(Node& node, Node part) {
    holds(node, part);
    node.parts.push_back(std::move(part));
    node.end = static_cast<std::uint32_t>(at_);
  }
  void holds(Node& node, const Node& inner) {
    node.depth = std::max(node.depth, static_cast<std::uint16_t>(inner.depth + 1));
    if (node.depth > kMostDepth) fail("the expression has too many operations", "write fewer");
  }
  bool descend() {
    if (++depth_ > kDeepest) fail("this is nested too deeply", "write it with fewer parentheses and signs");
    return depth_ <= kDeepest;
  }

  // ---- levels

  Node choice() {
    const std::size_t begin = start();
    if (!descend()) return {};
    Node test = binary(0);
    if (take("?")) {
      Node node = made(Kind::choose, begin);
      add(node, std::move(test));
      add(node, choice());
      if (!take(":")) fail("a ':' is missing", "write it as a ? b : c");
      add(node, choice());
      test = std::move(node);
    }
    --depth_;
    return test;
  }

  Node binary(int least) {
    const std::size_t begin = start();
    Node left = operand(least);
    int before = -1;
    while (const Infix* infix = infix_here()) {
      if (infix->rank < least) break;
      if (infix->once && infix->rank == before)
        fail("two comparisons stand in a row", fmt::format("join them with {}", dialect_.join));
      before = infix->rank;
      Node node = made(Kind::infix, begin, infix->sign);
      node.op = infix->op, node.sign = static_cast<std::uint32_t>(at_);
      at_ = std::min(at_ + infix->sign.size(), text_.size());
      add(node, std::move(left));
      add(node, binary(infix->right));
      left = std::move(node);
    }
    return left;
  }

  Node operand(int least) {
    const Prefix* prefix = prefix_here(least);
    if (prefix == nullptr) return primary();
    if (!descend()) return {};
    Node node = made(Kind::prefix, at_, prefix->sign);
    node.op = prefix->op, node.sign = node.begin;
    at_ += prefix->sign.size();
    Node of = binary(prefix->rank);
    --depth_;
    if (prefix->op == Op::none) return of;
    add(node, std::move(of));
    return node;
  }

  Node primary() {
    const char c = peek();
    if (c == '(') return parenthesis();
    if (is_digit(c) || (c == '.' && dialect_.has_fractions)) return number();
    if ((c == '\'' || c == '"') && dialect_.has_texts) return quoted(c);
    if (starts_name(c) && infix_here() == nullptr && longest(dialect_.prefix) == nullptr) return named();
    fail_operand();
    return {};
  }

  void close(std::size_t open, std::string_view sign) {
    if (take(sign)) return;
    if (start() < text_.size()) return fail_behind();
    fail_at(open, fmt::format("the '{}' is not closed", text_[open]), fmt::format("add a '{}'", sign));
  }

  Node parenthesis() {
    const std::size_t open = at_++;
    if (dialect_.is_type != nullptr)
      if (const auto type = type_until(')')) return cast(open, *type, operand(0));
    Node inside = choice();
    close(open, ")");
    return inside;
  }

  // ---- C++: casts and sizeof

  // The type that stands before this sign; then behind the sign.
  std::optional<std::string_view> type_until(char sign) {
    const std::size_t end = text_.find(sign, at_);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view type = trimmed(text_.substr(at_, end - at_));
    if (!dialect_.is_type(type)) return std::nullopt;
    at_ = end + 1;
    return type;
  }
  Node cast(std::size_t begin, std::string_view type, Node of) {
    Node node = made(Kind::cast, begin, type);
    add(node, std::move(of));
    return node;
  }
  Node static_cast_of(std::size_t begin) {
    const auto type = type_until('>');
    const std::size_t open = start();
    if (!type || !take("(")) {
      fail("this is no cast", "write static_cast<float>(a)");
      return {};
    }
    Node of = choice();
    close(open, ")");
    return cast(begin, *type, std::move(of));
  }
  // sizeof(Real), of a type that may be unknown.
  Node size_of(std::size_t begin) {
    const std::size_t end = text_.find(')', at_);
    if (peek() != '(' || end == std::string_view::npos) fail("sizeof has no type", "write sizeof(float)");
    if (error_) return {};
    Node node = made(Kind::call, begin, "sizeof");
    Node type = made(Kind::text, at_ + 1, trimmed(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
    add(node, std::move(type));
    return node;
  }

  // ---- operands

  Node number() {
    Node node = made(Kind::number, at_);
    const std::string_view rest = text_.substr(at_);
    const bool hex = dialect_.has_hex && (rest.starts_with("0x") || rest.starts_with("0X"));
    const std::size_t length =
        hex || !dialect_.has_fractions ? read_whole(node, rest, hex) : read(node, rest);
    std::size_t end = at_ + length;
    while (end < text_.size() && dialect_.number_suffixes.find(text_[end]) != std::string_view::npos) ++end;
    if (length == 0 || (end < text_.size() && is_of_name(text_[end]))) {
      fail_number();
      return {};
    }
    at_ = end;
    node.end = static_cast<std::uint32_t>(end);
    return node;
  }
  void fail_number() {
    std::size_t end = at_;
    while (end < text_.size() && (is_of_name(text_[end]) || text_[end] == '.')) ++end;
    fail(fmt::format("'{}' is no number", text_.substr(at_, std::min<std::size_t>(end - at_, 30))),
         dialect_.has_fractions ? "write numbers without separators and units"
                                : "write a whole number such as 32 or 0x20");
  }
  // How many characters are the number; 0: it is none.
  static std::size_t read(Node& node, std::string_view text) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), node.number);
    if (code != std::errc()) return 0;
    const auto length = static_cast<std::size_t>(end - text.data());
    node.is_whole = text.substr(0, length).find_first_of(".eE") == std::string_view::npos;
    return length;
  }
  std::size_t read_whole(Node& node, std::string_view text, bool hex) const {
    std::uint64_t value = 0;
    const char* begin = text.data() + (hex ? 2 : 0);
    const auto [end, code] = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
    const bool fits = dialect_.has_fractions || value <= 0x7fffffffffffffff;
    if (code != std::errc() || !fits) return 0;
    node.number = static_cast<double>(value), node.whole = static_cast<std::int64_t>(value);
    return static_cast<std::size_t>(end - text.data());
  }

  Node quoted(char quote) {
    const std::size_t begin = at_, end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      fail("a text has no end", "close its quotes");
      return {};
    }
    at_ = end + 1;
    return made(Kind::text, begin, text_.substr(begin + 1, end - begin - 1));
  }

  std::string_view word() {
    const std::size_t begin = start();
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  // std::max, and a member: block.x.
  std::string_view name() {
    const std::size_t begin = start();
    word();
    if (dialect_.is_type != nullptr) {
      while (text_.substr(at_).starts_with("::")) at_ += 2, word();
      while (at_ + 1 < text_.size() && text_[at_] == '.' && starts_name(text_[at_ + 1])) ++at_, word();
    }
    return text_.substr(begin, at_ - begin);
  }

  Node named() {
    Node node = name_or_call();
    while (dialect_.has_members && take(".")) {
      if (!starts_name(peek())) fail("a name is missing behind the '.'", "write one");
      Node member = name_or_call();
      member.begin = node.begin;
      holds(member, node);
      member.of.push_back(std::move(node));
      node = std::move(member);
    }
    while (dialect_.has_elements && peek() == '[') element(node);
    return node;
  }

  Node name_or_call() {
    const std::size_t begin = start();
    const std::string_view word = name();
    if (dialect_.is_type != nullptr && word == "sizeof") return size_of(begin);
    if (dialect_.is_type != nullptr && word == "static_cast" && take("<")) return static_cast_of(begin);
    Node node = made(Kind::name, begin, word);
    node.sign = node.begin;
    if (peek() == '(') arguments(node);
    return node;
  }

  void arguments(Node& call) {
    call.kind = Kind::call;
    const std::size_t open = at_++;
    if (!take(")")) {
      do argument(call);
      while (take(","));
      close(open, ")");
    }
    call.end = static_cast<std::uint32_t>(at_);
  }

  void argument(Node& call) {
    const std::size_t begin = start();
    if (dialect_.has_named && starts_name(peek())) {
      const std::string_view key = word();
      if (peek() == '=' && !stands("==")) {
        ++at_;
        call.named.emplace_back(key, choice());
        return holds(call, call.named.back().second);
      }
    }
    at_ = begin;
    if (call.parts.size() == kMostArguments) fail("these are too many arguments", "give fewer");
    add(call, choice());
  }

  // in[i], and each further [j] of A[i][j].
  void element(Node& array) {
    if (array.kind != Kind::element) {
      Node node = made(Kind::element, array.begin, array.text);
      add(node, std::move(array));
      array = std::move(node);
    }
    const std::size_t open = at_++;
    do add(array, choice());
    while (take(","));
    close(open, "]");
    array.end = static_cast<std::uint32_t>(at_);
  }

  std::string_view text_;
  const Dialect& dialect_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<Node> parse(std::string_view text, const Dialect& dialect) { return Parser(text, dialect).whole(); }

Error in_words(Error error, std::string_view text) {
  if (!trimmed(text).empty())
    error.message += fmt::format(" at position {} of \"{}\"", error.place.column, text);
  error.place = {};
  return error;
}

}  // namespace warplens::expression
