#include "engine/catalog/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

namespace warplens::catalog {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr double kExact = 9007199254740992.0;  // 2^53: whole doubles are exact up to here

bool is_whole(double x) { return std::isfinite(x) && std::abs(x) <= kExact && x == std::floor(x); }
bool can_divide(double a, double b) { return is_whole(a) && is_whole(b) && b != 0; }

double floor_div(double a, double b) {
  if (!can_divide(a, b)) return kUndefined;
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
  const std::int64_t quotient = x / y;
  return static_cast<double>(quotient - (x % y != 0 && (x < 0) != (y < 0)));
}
double ceil_div(double a, double b) { return -floor_div(-a, b); }
double round_up(double a, double b) { return ceil_div(a, b) * b; }
double remainder_of(double a, double b) {
  if (!can_divide(a, b)) return kUndefined;
  return static_cast<double>(static_cast<std::int64_t>(a) % static_cast<std::int64_t>(b));
}
double smallest(const double* x, int count) { return *std::min_element(x, x + count); }
double largest(const double* x, int count) { return *std::max_element(x, x + count); }
double absolute(double x) { return std::abs(x); }
double logical_not(double x) { return std::isnan(x) ? x : static_cast<double>(x == 0); }

constexpr std::array<std::string_view, 6> kFunctions{"ceil_div", "floor_div", "round_up",
                                                     "min",      "max",       "abs"};
struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array<Constant, 1> kConstants{{{"WARP", 32}}};

mu::Parser parser_of_language() {
  mu::Parser parser;
  parser.ClearFun();
  parser.ClearConst();
  parser.ClearPostfixOprt();
  parser.DefineOprtChars("+-*/^%<>=!&|?:");
  parser.DefineFun("ceil_div", ceil_div);
  parser.DefineFun("floor_div", floor_div);
  parser.DefineFun("round_up", round_up);
  parser.DefineFun("min", smallest);
  parser.DefineFun("max", largest);
  parser.DefineFun("abs", absolute);
  parser.DefineOprt("%", remainder_of, mu::prMUL_DIV, mu::oaLEFT);
  parser.DefineInfixOprt("!", logical_not);
  for (const Constant& constant : kConstants) parser.DefineConst(std::string(constant.name), constant.value);
  return parser;
}

// Copying one is quicker than making it.
const mu::Parser& language() {
  static const mu::Parser parser = parser_of_language();
  return parser;
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

// Past "12", "1.5", "1e3" or "1e-5", so that the e is not taken for a name.
std::size_t skip_number(std::string_view text, std::size_t at) {
  while (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.')) ++at;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  const bool has_sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E') && digit(at + (has_sign ? 2 : 1))) {
    for (at += has_sign ? 2 : 1; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));)
      ++at;
  }
  return at;
}

struct Words {
  std::vector<std::string> names, functions;
};

// The identifiers of an expression, each once, in the order they appear.
Words words_in(std::string_view text) {
  Words words;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at]))) {
      at = skip_number(text, at);
      continue;
    }
    if (!starts_name(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && continues_name(text[at])) ++at;
    std::size_t next = at;
    while (next < text.size() && text[next] == ' ') ++next;
    auto& list = next < text.size() && text[next] == '(' ? words.functions : words.names;
    std::string word(text.substr(begin, at - begin));
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(std::move(word));
  }
  return words;
}

// muParser would take a single = for an assignment, and so change a parameter behind the user's back.
bool has_assignment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool after = i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos;
    const bool before = i + 1 < text.size() && text[i + 1] == '=';
    if (!after && !before) return true;
  }
  return false;
}

std::optional<Error> check_words(std::string_view text, const Words& words, Scope& scope) {
  for (const std::string& name : words.names) {
    if (scope.find(name) || is_reserved_name(name)) continue;
    return Error{fmt::format("unknown name {} in \"{}\"", name, text), "use one of " + scope.names(), {}};
  }
  for (const std::string& name : words.functions) {
    if (std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end()) continue;
    return Error{fmt::format("unknown function {} in \"{}\"", name, text),
                 fmt::format("use one of {}", fmt::join(kFunctions, ", ")),
                 {}};
  }
  return std::nullopt;
}

std::string without_full_stop(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

Error unreadable(std::string_view text, const std::string& why) {
  return Error{fmt::format("the expression \"{}\" cannot be read: {}", text, without_full_stop(why)),
               "write it like \"ceil_div(N, TILE)\" or \"TILE * TILE <= 1024\"",
               {}};
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

struct Expression::Compiled {
  mu::Parser parser = language();
  std::vector<const double*> values;  // of names_
};

Expression::Expression() : compiled_(std::make_unique<Compiled>()) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::compile(std::string_view text, Scope& scope) {
  const Words words = words_in(text);
  if (const auto error = check_words(text, words, scope)) return *error;
  if (has_assignment(text)) return unreadable(text, "a single = compares nothing, use ==");
  try {
    Expression expression;
    expression.text_ = text;
    mu::Parser& parser = expression.compiled_->parser;
    for (const std::string& name : words.names) {
      double* value = scope.find(name);
      if (value == nullptr) continue;
      parser.DefineVar(name, value);
      expression.names_.push_back(name);
      expression.compiled_->values.push_back(value);
    }
    parser.SetExpr(expression.text_);
    parser.Eval();
    if (parser.GetNumResults() != 1) return unreadable(text, "it has a comma outside a function's brackets");
    return expression;
  } catch (const mu::ParserError& error) {
    return unreadable(text, error.GetMsg());
  }
}

double Expression::evaluate() const {
  try {
    return compiled_->parser.Eval();
  } catch (const mu::ParserError&) {
    return kUndefined;
  }
}

bool Expression::uses(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string Expression::values_now() const {
  std::string text;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (i > 0) text += i + 1 == names_.size() ? " and " : ", ";
    text += fmt::format("{} is {}", names_[i], format_value(*compiled_->values[i]));
  }
  return text;
}

std::string format_value(double value) {
  if (std::isnan(value)) return "undefined";
  if (is_whole(value)) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{:.6g}", value);
}

bool is_reserved_name(std::string_view name) {
  return std::any_of(kConstants.begin(), kConstants.end(), [&](const Constant& c) { return c.name == name; });
}

}  // namespace warplens::catalog
