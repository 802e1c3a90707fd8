#include "engine/emulator/semantics/aligned_product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/emulator/semantics/rounding.hpp"

namespace warplens::emulator {

Term term_of(std::uint64_t bits, const FloatFormat& format) {
  const double value = to_double(bits, format);
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kF64.mantissa_bits & 0x7ff);
  if (exponent != 0 && exponent != 0x7ff) return {value, exponent - kF64.bias()};  // the common case
  const bool counts = value != 0 && std::isfinite(value);
  return {value, counts ? std::ilogb(value) : kExponentOfZero};
}

// What lies beyond f32 is infinity all the same. The exponent of a product is the sum of its factors'
// exponents, so it may be one less than the product's own.
std::uint64_t aligned_sum(std::span<const Term> terms, const FloatFormat& format) {
  double plain = 0;  // tells infinities, NaN and the sign of an exact zero
  std::int32_t largest = kExponentOfZero;
  for (const Term& term : terms) {
    plain += term.value;
    largest = std::max(largest, term.exponent);
  }
  if (!std::isfinite(plain) || largest < kExponentOfZero / 2) return from_double(plain, format);
  const double scale = std::ldexp(1.0, 25 - largest);
  std::int64_t units = 0;  // each term is below 2^27 units
  for (const Term& term : terms) units += static_cast<std::int64_t>(term.value * scale);
  const double sum = static_cast<double>(units) / scale;
  const bool overflows = std::fabs(sum) >= 0x1p128;
  const std::uint64_t single = from_double(sum, kF32, overflows ? ptx::Rounding::rn : ptx::Rounding::rz);
  return format.mantissa_bits == kF32.mantissa_bits ? single : from_double(to_double(single, kF32), format);
}

}  // namespace warplens::emulator
