#include "engine/expression/whole_division.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace warplens::expression {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

bool can_divide(double a, double b) { return is_whole(a) && is_whole(b) && b != 0; }

}  // namespace

bool is_whole(double x) { return std::abs(x) <= 0x1p53 && x == std::floor(x); }

double floor_div(double a, double b) {
  if (!can_divide(a, b)) return kUndefined;
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
  const std::int64_t quotient = x / y;
  return static_cast<double>(quotient - (x % y != 0 && (x < 0) != (y < 0)));
}
double ceil_div(double a, double b) { return -floor_div(-a, b); }
double round_up(double a, double b) { return ceil_div(a, b) * b; }
// Without -0.
double remainder(double a, double b) { return can_divide(a, b) ? std::fmod(a, b) + 0.0 : kUndefined; }

}  // namespace warplens::expression
