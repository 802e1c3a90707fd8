// The functions of element expressions, and what they do to errors.
#pragma once

#include <span>
#include <string_view>

namespace warplens::problem {

struct ElementFunction {
  std::string_view name;
  int least_arguments, most_arguments;
  bool rounds;  // its value is none of its arguments', or a whole number
  double (*value)(const double* x, int count);
  // What the value's own error is measured against; sizes: of the arguments.
  double (*size)(double value, const double* x, const double* sizes, int count);
  // By how much the value is off where each argument is off by so much. null: steps, which are right or wrong.
  double (*carried)(double value, const double* x, const double* off, int count);
  // How many operations may make it, one after the other, a rounding each; null: one.
  double (*terms)(const double* x) = nullptr;
};
std::span<const ElementFunction> element_functions();
// The same of a power, which may be made step by step where it is one of few whole factors. The steps of a
// chain round near the same number and so to the same side: as many terms of a sum, whose errors grow by
// 4 sqrt(terms), as are off by one rounding a step.
double terms_of_power(double exponent);
double carried_by_power(double value, double base, double exponent, double off_base, double off_exponent);

}  // namespace warplens::problem
