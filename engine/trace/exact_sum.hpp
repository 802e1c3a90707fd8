// Numbers with twice the digits of a double, as the sum of two: what additions and products of floats come to
// without rounding, or very nearly so. T. J. Dekker, A floating-point technique for extending the available
// precision, 1971.
#pragma once

#include <cmath>

namespace warplens::trace {

struct Exact {
  double high = 0, low = 0;  // low is below half a unit of the last place of high

  // Exactly a + b.
  static Exact of_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
  }
  static Exact of_product(double a, double b) {
    const double product = a * b;
    return {product, std::fma(a, b, -product)};
  }
  Exact operator-() const { return {-high, -low}; }
  // To 106 bits.
  Exact operator+(const Exact& other) const {
    const Exact highs = of_sum(high, other.high), lows = of_sum(low, other.low);
    const Exact first = of_sum(highs.high, highs.low + lows.high);
    return of_sum(first.high, first.low + lows.low);
  }
  Exact operator-(const Exact& other) const { return *this + -other; }
  Exact operator*(const Exact& other) const {
    const Exact product = of_product(high, other.high);
    return of_sum(product.high, product.low + (high * other.low + low * other.high));
  }
  double value() const { return high + low; }
};

}  // namespace warplens::trace
