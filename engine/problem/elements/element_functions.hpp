// The functions of element expressions. error: of the value, where the arguments have these errors.
#pragma once

#include <span>
#include <string_view>

namespace warplens::problem {

struct ElementFunction {
  std::string_view name;
  int least_arguments, most_arguments;
  double (*value)(const double* x, int count);
  // By how much the value may be off, in units of one rounding, where each argument x is off by size[x] of
  // them.
  double (*size)(double value, const double* x, const double* sizes, int count);
};
std::span<const ElementFunction> element_functions();

}  // namespace warplens::problem
