#include "engine/problem/elements/element_functions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/expression/operations.hpp"

namespace warplens::problem {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
using X = const double*;
double own_size(double value, X, X, int) { return std::abs(value); }
double first(double, X, X of, int) { return of[0]; }
double largest(double, X, X of, int count) { return *std::max_element(of, of + count); }
// As absolute as the errors of what devices compute them with: they are 0 somewhere, and steep there.
double at_least_1(double value, X, X, int) { return std::max(std::abs(value), 1.0); }

constexpr ElementFunction kFunctions[] = {
    {"abs", 1, 1, false, [](X x, int) { return std::abs(x[0]); }, first, first},
    {"fabs", 1, 1, false, [](X x, int) { return std::abs(x[0]); }, first, first},
    {"min", 2, 16, false, [](X x, int n) { return *std::min_element(x, x + n); }, largest, largest},
    {"max", 2, 16, false, [](X x, int n) { return *std::max_element(x, x + n); }, largest, largest},
    {"exp", 1, 1, true, [](X x, int) { return std::exp(x[0]); }, own_size,
     [](double v, X, X off, int) { return v * off[0]; }},
    {"log", 1, 1, true, [](X x, int) { return std::log(x[0]); }, at_least_1,
     [](double, X x, X off, int) { return off[0] / std::abs(x[0]); }},
    // Near 0 the root of the error, of 2^-24.
    {"sqrt", 1, 1, true, [](X x, int) { return std::sqrt(x[0]); }, own_size,
     [](double v, X, X off, int) {
       const double most = std::sqrt(off[0]) * 0x1p12;
       return v > 0 ? std::min(off[0] / (2 * v), most) : most;
     }},
    {"rsqrt", 1, 1, true, [](X x, int) { return 1 / std::sqrt(x[0]); }, own_size,
     [](double v, X x, X off, int) { return v * off[0] / (2 * std::abs(x[0])); }},
    {"tanh", 1, 1, true, [](X x, int) { return std::tanh(x[0]); }, own_size,
     [](double v, X, X off, int) { return off[0] * (1 - v * v); }},
    {"erf", 1, 1, true, [](X x, int) { return std::erf(x[0]); }, own_size,
     [](double, X, X off, int) { return 1.13 * off[0]; }},
    {"sin", 1, 1, true, [](X x, int) { return std::sin(x[0]); }, at_least_1, first},
    {"cos", 1, 1, true, [](X x, int) { return std::cos(x[0]); }, at_least_1, first},
    {"pow", 2, 2, true, [](X x, int) { return std::pow(x[0], x[1]); }, own_size,
     [](double v, X x, X off, int) { return carried_by_power(v, x[0], x[1], off[0], off[1]); },
     [](X x) { return terms_of_power(x[1]); }},
    {"floor", 1, 1, false, [](X x, int) { return std::floor(x[0]); }, own_size, nullptr},
    {"ceil", 1, 1, false, [](X x, int) { return std::ceil(x[0]); }, own_size, nullptr},
    {"trunc", 1, 1, false, [](X x, int) { return std::trunc(x[0]); }, own_size, nullptr},
    {"round", 1, 1, false, [](X x, int) { return std::round(x[0]); }, own_size, nullptr},
    {"floor_div", 2, 2, false, [](X x, int) { return expression::floor_div(x[0], x[1]); }, own_size, nullptr},
    {"ceil_div", 2, 2, false, [](X x, int) { return expression::ceil_div(x[0], x[1]); }, own_size, nullptr},
    {"round_up", 2, 2, false, [](X x, int) { return expression::round_up(x[0], x[1]); }, own_size, nullptr},
    {"atan2", 2, 2, true, [](X x, int) { return std::atan2(x[0], x[1]); }, own_size,
     [](double, X x, X off, int) {
       const double square = x[0] * x[0] + x[1] * x[1];
       return square > 0 ? (std::abs(x[1]) * off[0] + std::abs(x[0]) * off[1]) / square : 0;
     }},
    {"xor", 2, 2, false,
     [](X x, int) {
       return expression::is_whole(x[0]) && expression::is_whole(x[1])
                  ? static_cast<double>(static_cast<std::int64_t>(x[0]) ^ static_cast<std::int64_t>(x[1]))
                  : kUndefined;
     },
     own_size, nullptr},
};

}  // namespace

double carried_by_power(double value, double base, double exponent, double off_base, double off_exponent) {
  const double size = std::abs(base);
  if (!(size > 0)) return 0;
  return std::abs(value) * (std::abs(exponent) * off_base / size + std::abs(std::log(size)) * off_exponent);
}

double terms_of_power(double exponent) {
  constexpr double kMostFactors = 1024;
  const double times = std::abs(exponent);
  if (!expression::is_whole(exponent) || times > kMostFactors) return 1;
  return std::max({1.0, times, times * times / 16});
}

std::span<const ElementFunction> element_functions() { return kFunctions; }

}  // namespace warplens::problem
