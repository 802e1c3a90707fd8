#include "engine/catalog/c_expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "engine/base/code_text.hpp"
#include "engine/catalog/problem_text.hpp"

namespace warplens::catalog {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

using Value = std::optional<CNumber>;

struct Operator {
  std::string_view sign;
  int rank;  // the higher the tighter
};
// Longer signs before those that they begin with.
constexpr std::array<Operator, 18> kOperators{{{"||", 1},
                                               {"&&", 2},
                                               {"==", 6},
                                               {"!=", 6},
                                               {"<=", 7},
                                               {">=", 7},
                                               {"<<", 8},
                                               {">>", 8},
                                               {"|", 3},
                                               {"^", 4},
                                               {"&", 5},
                                               {"<", 7},
                                               {">", 7},
                                               {"+", 9},
                                               {"-", 9},
                                               {"*", 10},
                                               {"/", 10},
                                               {"%", 10}}};

Value whole_result(std::string_view sign, const CNumber& a, const CNumber& b) {
  const auto x = static_cast<std::int64_t>(a.value), y = static_cast<std::int64_t>(b.value);
  if ((sign == "%" || sign == "/") && y == 0) return std::nullopt;
  if ((sign == "<<" || sign == ">>") && (y < 0 || y > 62)) return std::nullopt;
  std::int64_t result = 0;
  if (sign == "/") result = x / y;
  if (sign == "%") result = x % y;
  if (sign == "<<") result = static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << y);
  if (sign == ">>") result = x >> y;
  if (sign == "|") result = x | y;
  if (sign == "&") result = x & y;
  if (sign == "^") result = x ^ y;
  return CNumber{static_cast<double>(result), true};
}

Value combine(std::string_view sign, const CNumber& a, const CNumber& b) {
  const auto truth = [](bool is) { return CNumber{is ? 1.0 : 0.0, true}; };
  const bool whole = a.is_whole && b.is_whole;
  if (sign == "||") return truth(a.value != 0 || b.value != 0);
  if (sign == "&&") return truth(a.value != 0 && b.value != 0);
  if (sign == "==") return truth(a.value == b.value);
  if (sign == "!=") return truth(a.value != b.value);
  if (sign == "<=") return truth(a.value <= b.value);
  if (sign == ">=") return truth(a.value >= b.value);
  if (sign == "<") return truth(a.value < b.value);
  if (sign == ">") return truth(a.value > b.value);
  if (sign == "+") return CNumber{a.value + b.value, whole};
  if (sign == "-") return CNumber{a.value - b.value, whole};
  if (sign == "*") return CNumber{a.value * b.value, whole};
  if (sign == "/" && !whole) return CNumber{a.value / b.value, false};
  if (!(std::abs(a.value) < 0x1p62) || !(std::abs(b.value) < 0x1p62)) return std::nullopt;
  return whole_result(sign, a, b);
}

class Reader {
 public:
  Reader(std::string_view text, const CNames& names) : text_(text), names_(names) {}

  Value whole_text() {
    const Value value = choice();
    skip();
    return at_ == text_.size() && !failed_ ? value : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  Value fail() {
    failed_ = true;
    return std::nullopt;
  }

  Value choice() {
    if (++depth_ > 64) return fail();
    const Value condition = binary(0);
    Value value = condition;
    if (take("?")) {
      const Value yes = choice();
      if (!take(":")) return fail();
      const Value no = choice();
      value = condition && condition->value != 0 ? yes : no;
    }
    --depth_;
    return value;
  }

  Value binary(int least) {
    Value left = unary();
    while (!failed_) {
      skip();
      const auto found = std::find_if(kOperators.begin(), kOperators.end(), [&](const Operator& o) {
        return text_.substr(at_).starts_with(o.sign);
      });
      if (found == kOperators.end() || found->rank <= least) break;
      at_ += found->sign.size();
      const Value right = binary(found->rank);
      left = left && right ? combine(found->sign, *left, *right) : std::nullopt;
    }
    return left;
  }

  Value unary() {
    if (++depth_ > 64) return fail();
    skip();
    Value value;
    if (take("!")) {
      value = unary();
      if (value) value = CNumber{value->value == 0 ? 1.0 : 0.0, true};
    } else if (take("-")) {
      value = unary();
      if (value) value->value = -value->value;
    } else if (take("+")) {
      value = unary();
    } else if (take("(")) {
      value = bracket();
    } else if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      value = number();
    } else if (at_ < text_.size() && is_of_name(text_[at_])) {
      value = name();
    } else {
      return fail();
    }
    --depth_;
    return value;
  }

  // "(a + b)", or a cast and what it casts.
  Value bracket() {
    const std::size_t close = text_.find(')', at_);
    if (close == std::string_view::npos) return fail();
    std::string_view inside = text_.substr(at_, close - at_);
    while (!inside.empty() && inside.back() == ' ') inside.remove_suffix(1);
    while (!inside.empty() && inside.front() == ' ') inside.remove_prefix(1);
    if (const auto type = read_type(inside)) {
      at_ = close + 1;
      return cast(unary(), *type);
    }
    const Value value = choice();
    return take(")") ? value : fail();
  }
  static Value cast(Value value, const TypeText& type) {
    if (!value) return value;
    value->is_whole = type.base.find("int") != std::string::npos;
    if (value->is_whole) value->value = std::trunc(value->value);
    return value;
  }

  Value number() {
    const std::string_view rest = text_.substr(at_);
    const bool is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    std::size_t end = is_hex ? 2 : 0;
    CNumber result;
    if (is_hex) {
      std::uint64_t bits = 0;
      const auto [stop, code] = std::from_chars(rest.data() + 2, rest.data() + rest.size(), bits, 16);
      if (code != std::errc()) return fail();
      result.value = static_cast<double>(bits);
      end = static_cast<std::size_t>(stop - rest.data());
    } else {
      const auto [stop, code] = std::from_chars(rest.data(), rest.data() + rest.size(), result.value);
      if (code != std::errc()) return fail();
      end = static_cast<std::size_t>(stop - rest.data());
      result.is_whole = rest.substr(0, end).find_first_of(".eE") == std::string_view::npos;
    }
    while (end < rest.size() && std::string_view("uUlLfF").find(rest[end]) != std::string_view::npos) ++end;
    at_ += end;
    return result;
  }

  Value name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_of_name(text_[at_]) || text_.substr(at_, 2) == "::"))
      at_ += is_of_name(text_[at_]) ? 1 : 2;
    // An edge of a dim3: "block.x".
    if (at_ + 1 < text_.size() && text_[at_] == '.' && text_[at_ + 1] >= 'x' && text_[at_ + 1] <= 'z' &&
        (at_ + 2 == text_.size() || !is_of_name(text_[at_ + 2])))
      at_ += 2;
    const std::string_view word = text_.substr(begin, at_ - begin);
    skip();
    if (word == "sizeof") return size_of();
    if (word == "static_cast" && take("<")) return named_cast();
    if (at_ >= text_.size() || text_[at_] != '(') return names_.value ? names_.value(word) : std::nullopt;
    ++at_;
    std::vector<CNumber> arguments;
    bool all_known = true;
    while (!failed_ && !take(")")) {
      if (!arguments.empty() || !all_known)
        if (!take(",")) return fail();
      const Value argument = choice();
      all_known = all_known && argument.has_value();
      arguments.push_back(argument.value_or(CNumber()));
    }
    return all_known && names_.call ? names_.call(word, arguments) : std::nullopt;
  }
  Value named_cast() {
    const std::size_t close = text_.find('>', at_);
    if (close == std::string_view::npos) return fail();
    const auto type = read_type(text_.substr(at_, close - at_));
    at_ = close + 1;
    if (!type || !take("(")) return fail();
    const Value value = choice();
    return take(")") ? cast(value, *type) : fail();
  }
  Value size_of() {
    const std::size_t close = text_.find(')', at_);
    if (at_ >= text_.size() || text_[at_] != '(' || close == std::string_view::npos) return fail();
    const std::string_view name = text_.substr(at_ + 1, close - at_ - 1);
    const auto type = read_type(name);
    at_ = close + 1;
    if (!type) return names_.value ? names_.value("sizeof " + std::string(name)) : std::nullopt;
    return CNumber{static_cast<double>(bytes_of(type->base) * type->parts), true};
  }
  static int bytes_of(const std::string& base) {
    if (base.ends_with("64") || base == "double") return 8;
    if (base.ends_with("16") || base == "half") return 2;
    return base.ends_with("t8") ? 1 : 4;
  }

  std::string_view text_;
  const CNames& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<CNumber> evaluate_c(std::string_view text, const CNames& names) {
  return Reader(text, names).whole_text();
}

}  // namespace warplens::catalog
