#include "engine/analysis/index_expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "engine/analysis/access_sets.hpp"

namespace warplens::analysis {
namespace {

using Int = std::int64_t;
using Operation = std::optional<Int> (*)(Int, Int);  // nullopt: no result in 64 bits

struct BinaryOperator {
  std::string_view symbol;
  int rank;  // higher binds tighter, as in C
  Operation apply;
};

template <bool (*Overflows)(Int, Int, Int*)>
std::optional<Int> checked(Int a, Int b) {
  Int result = 0;
  if (Overflows(a, b, &result)) return std::nullopt;
  return result;
}
bool add(Int a, Int b, Int* r) { return __builtin_add_overflow(a, b, r); }
bool subtract(Int a, Int b, Int* r) { return __builtin_sub_overflow(a, b, r); }
bool multiply(Int a, Int b, Int* r) { return __builtin_mul_overflow(a, b, r); }
bool divide(Int a, Int b, Int* r) {
  if (b == 0 || (b == -1 && subtract(0, a, r))) return true;
  *r = a / b;
  return false;
}
bool remainder(Int a, Int b, Int* r) {
  if (b == 0) return true;
  *r = b == -1 ? 0 : a % b;
  return false;
}
bool shift_left(Int a, Int b, Int* r) { return b < 0 || b > 62 || multiply(a, Int{1} << b, r); }
bool shift_right(Int a, Int b, Int* r) {
  if (b < 0 || b > 63) return true;
  *r = a >> b;
  return false;
}

// Two-character symbols come before their first character, so that the first match is the longest.
constexpr std::array kOperators = {
    BinaryOperator{"||", 1, [](Int a, Int b) -> std::optional<Int> { return a != 0 || b != 0; }},
    BinaryOperator{"&&", 2, [](Int a, Int b) -> std::optional<Int> { return a != 0 && b != 0; }},
    BinaryOperator{"==", 6, [](Int a, Int b) -> std::optional<Int> { return a == b; }},
    BinaryOperator{"!=", 6, [](Int a, Int b) -> std::optional<Int> { return a != b; }},
    BinaryOperator{"<<", 8, checked<shift_left>},
    BinaryOperator{">>", 8, checked<shift_right>},
    BinaryOperator{"<=", 7, [](Int a, Int b) -> std::optional<Int> { return a <= b; }},
    BinaryOperator{">=", 7, [](Int a, Int b) -> std::optional<Int> { return a >= b; }},
    BinaryOperator{"<", 7, [](Int a, Int b) -> std::optional<Int> { return a < b; }},
    BinaryOperator{">", 7, [](Int a, Int b) -> std::optional<Int> { return a > b; }},
    BinaryOperator{"|", 3, [](Int a, Int b) -> std::optional<Int> { return a | b; }},
    BinaryOperator{"^", 4, [](Int a, Int b) -> std::optional<Int> { return a ^ b; }},
    BinaryOperator{"&", 5, [](Int a, Int b) -> std::optional<Int> { return a & b; }},
    BinaryOperator{"+", 9, checked<add>},
    BinaryOperator{"-", 9, checked<subtract>},
    BinaryOperator{"*", 10, checked<multiply>},
    BinaryOperator{"/", 10, checked<divide>},
    BinaryOperator{"%", 10, checked<remainder>},
};
constexpr int kLowestRank = 1;
constexpr int kDeepest = 200;  // nested parentheses and signs, to keep the stack small

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Evaluates while it parses. After the first error every value is 0 and the walk ends soon; `skipped_` counts
// the operands around it that C would not evaluate, where arithmetic errors do not count.
class Evaluator {
 public:
  Evaluator(std::string_view text, const IndexVariables& variables, std::string_view name)
      : text_(text), variables_(variables), name_(name) {}

  Result<Int> run() {
    const Int value = conditional();
    skip_blanks();
    if (at_ < text_.size()) fail(at_, "unexpected " + shown(at_), "put an operator before it or remove it");
    if (error_) return *error_;
    return value;
  }

 private:
  Int conditional() {
    const Int condition = binary(kLowestRank);
    if (!take("?")) return condition;
    if (!descend()) return 0;
    const Int yes = guarded(condition != 0, [&] { return conditional(); });
    if (!take(":")) fail(at_, "expected ':'", "complete the condition as a ? b : c");
    const Int no = guarded(condition == 0, [&] { return conditional(); });
    --depth_;
    return condition != 0 ? yes : no;
  }

  Int binary(int least_rank) {
    Int left = unary();
    while (const BinaryOperator* op = peek_operator()) {
      if (op->rank < least_rank || error_) break;
      const std::size_t position = at_;
      at_ += op->symbol.size();
      const bool needed = !(op->symbol == "&&" && left == 0) && !(op->symbol == "||" && left != 0);
      const Int right = guarded(needed, [&] { return binary(op->rank + 1); });
      left = apply(*op, left, right, position);
    }
    return left;
  }

  Int apply(const BinaryOperator& op, Int left, Int right, std::size_t position) {
    if (error_ || skipped_ > 0) return 0;
    if (const auto value = op.apply(left, right)) return *value;
    const std::string where = " for lane " + std::to_string(variables_.lane);
    if ((op.symbol == "/" || op.symbol == "%") && right == 0) {
      fail(position, "division by zero" + where, "keep the divisor from being 0");
    } else if (op.symbol == "<<" || op.symbol == ">>") {
      fail(position, "the shift by " + std::to_string(right) + " has no 64-bit result" + where,
           "shift by less");
    } else {
      fail(position, "the result of " + std::string(op.symbol) + " does not fit 64 bits" + where,
           "use smaller numbers");
    }
    return 0;
  }

  Int unary() {
    skip_blanks();
    if (at_ >= text_.size()) {
      fail(at_, text_.empty() ? "the expression is empty" : "the expression ends too early",
           "write an index such as 32*lane");
      return 0;
    }
    const std::size_t position = at_;
    const char c = text_[at_];
    if (c != '+' && c != '-' && c != '~' && c != '!') return primary();
    if (!descend()) return 0;
    ++at_;
    const Int value = unary();
    --depth_;
    if (c == '~') return ~value;
    if (c == '!') return value == 0;
    return c == '-' ? apply(kMinus, 0, value, position) : value;
  }

  Int primary() {
    if (error_) return 0;
    if (is_digit(text_[at_])) return number();
    if (is_name_start(text_[at_])) return variable();
    const std::size_t open = at_;
    if (!take("(")) {
      fail(at_, "unexpected " + shown(at_), "write a number, lane, warp or '('");
      return 0;
    }
    if (!descend()) return 0;
    const Int value = conditional();
    --depth_;
    if (!take(")")) fail(open, "the '(' is not closed", "add a ')'");
    return value;
  }

  Int number() {
    const std::size_t start = at_;
    const bool hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_name_start(text_[at_]))) ++at_;
    const std::string_view digits = text_.substr(start + (hex ? 2 : 0), at_ - start - (hex ? 2 : 0));
    Int value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
    if (problem != std::errc{} || end != digits.data() + digits.size())
      fail(start,
           "'" + std::string(text_.substr(start, std::min<std::size_t>(at_ - start, 30))) + "' is no number",
           "write a whole number such as 32 or 0x20");
    return value;
  }

  Int variable() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_name_start(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name == "lane") return variables_.lane;
    if (name == "warp") return variables_.warp;
    std::string known = variables_.more.empty() ? "lane or warp" : "lane, warp";
    for (const NamedIndex& own : variables_.more) {
      if (name == own.name) return own.value;
      known += (&own == &variables_.more.back() ? " or " : ", ") + std::string(own.name);
    }
    fail(start, "unknown name '" + std::string(name.substr(0, 30)) + "'", "use " + known);
    return 0;
  }

  template <class Parse>
  Int guarded(bool needed, Parse parse) {
    skipped_ += needed ? 0 : 1;
    const Int value = parse();
    skipped_ -= needed ? 0 : 1;
    return value;
  }

  bool descend() {
    if (++depth_ <= kDeepest) return true;
    fail(at_, "the expression is nested too deeply", "write it with fewer parentheses");
    at_ = text_.size();
    return false;
  }

  const BinaryOperator* peek_operator() {
    skip_blanks();
    for (const BinaryOperator& op : kOperators)
      if (text_.substr(at_).starts_with(op.symbol)) return &op;
    return nullptr;
  }
  bool take(std::string_view symbol) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  std::string shown(std::size_t position) const {
    if (position >= text_.size()) return "end";
    const char c = text_[position];
    return c >= ' ' && c < 127 ? std::string("'") + c + "'" : "character";
  }
  void fail(std::size_t position, std::string message, std::string next_step) {
    if (error_) return;
    const int column = static_cast<int>(position) + 1;
    message += " at position " + std::to_string(column);
    error_ = Error{std::move(message), std::move(next_step), {std::string(name_), 0, column}};
  }

  static constexpr BinaryOperator kMinus{"-", 9, checked<subtract>};

  std::string_view text_;
  const IndexVariables& variables_;
  std::string_view name_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int skipped_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::int64_t> evaluate_index(std::string_view text, const IndexVariables& variables,
                                    std::string_view name) {
  return Evaluator(text, variables, name).run();
}

Result<WarpAccess> access_at_index(std::string_view text, AccessOp op, int width, std::uint32_t active,
                                   IndexVariables variables, std::string_view name) {
  if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
    return Error{"the width is " + std::to_string(width) + " bytes", "use 1, 2, 4, 8 or 16", {}};
  WarpAccess access{op, width, active, {}};
  for (int lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1) == 0) continue;
    variables.lane = lane;
    const auto index = evaluate_index(text, variables, name);
    if (!index) return index.error();
    if (*index < 0)
      return Error{"the index of lane " + std::to_string(lane) + " is " + std::to_string(*index),
                   "give an index of 0 or more for every lane",
                   {std::string(name), 0, 0}};
    Int bytes = 0;
    if (multiply(*index, width, &bytes))
      return Error{"the index of lane " + std::to_string(lane) + " is too large",
                   "use a smaller one",
                   {std::string(name), 0, 0}};
    access.address[static_cast<std::size_t>(lane)] = static_cast<std::uint64_t>(bytes);
  }
  return access;
}

}  // namespace warplens::analysis
