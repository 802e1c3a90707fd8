// The arithmetic of a front matter: "ceil_div(N, TILE)", "TILE * TILE <= 1024".
// Numbers are doubles, so `/` is real division and whole numbers are exact up to 2^53. There are + - * / % ^
// (power), comparisons, ! && || and ?:, ceil_div, floor_div, round_up, min, max, abs and the constant WARP.
// ceil_div, floor_div, round_up and % take whole numbers and a divisor other than 0; else the value is NaN.
// engine/expression/dialects.hpp has the ranks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/expression/tree.hpp"

namespace warplens::catalog {

// The names an expression may use, each with a value that can change between evaluations.
// Not copyable: compiled expressions point into it, and it must outlive them.
class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void set(std::string_view name, std::int64_t value);
  // Null where there is no such name; the pointer stays good while the scope lives.
  double* find(std::string_view name);
  std::string names() const;  // "M, N, TILE"

 private:
  std::map<std::string, double, std::less<>> values_;
};

class Expression {
 public:
  // Errors: what is not understood, with its place in the text; names that the scope does not have, with
  // `use` as the next step, or the scope's names where it is empty; functions and their number of arguments.
  static Result<Expression> compile(std::string_view text, Scope& scope, std::string_view use = "");

  // NaN where the value is not defined (a division by zero, a fraction where a whole number is needed).
  double evaluate() const;
  const std::string& text() const { return text_; }
  // The scope's names in the order they first appear, constants left out.
  const std::vector<std::string>& names() const { return names_; }
  bool uses(std::string_view name) const;
  // "TILE is 64 and N is 100"; empty for an expression without names.
  std::string values_now() const;

 private:
  std::string text_;
  expression::Node root_;  // slots: of a name in values_, of a call in the table of functions
  std::vector<std::string> names_;
  std::vector<const double*> values_;
};

// The value of an expression as people write it: "64", "12.5", "undefined".
std::string format_value(double value);

bool is_reserved_name(std::string_view name);  // a constant of the language, e.g. WARP

}  // namespace warplens::catalog
