// Decoding of the floating-point formats to double (always exact) and encoding of an exact value with one
// rounding in any of PTX's modes. Pure integer arithmetic: no rounding mode of the host matters.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/emulator/semantics/float_formats.hpp"
#include "engine/ptx/opcodes.hpp"

namespace warplens::emulator {

// mantissa * 2^exponent, plus something above zero and below one unit of the mantissa where sticky is set.
struct ExactValue {
  bool negative = false;
  std::uint64_t mantissa = 0;
  int exponent = 0;
  bool sticky = false;
};

// Precondition: bits is finite in the format.
constexpr ExactValue decode(std::uint64_t bits, const FloatFormat& format) {
  const std::uint64_t magnitude = format.magnitude(bits) >> format.padding;
  const std::uint64_t fraction = magnitude & ((1ull << format.mantissa_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint64_t hidden = exponent == 0 ? 0 : 1ull << format.mantissa_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias() - format.mantissa_bits;
  return {format.is_negative(bits), fraction | hidden, scale, false};
}

namespace detail {

constexpr bool rounds_up(ptx::Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
    case ptx::Rounding::rz:
    case ptx::Rounding::rzi:
      return false;
    case ptx::Rounding::rm:
    case ptx::Rounding::rmi:
      return negative && (half || rest);
    case ptx::Rounding::rp:
    case ptx::Rounding::rpi:
      return !negative && (half || rest);
    case ptx::Rounding::rna:
      return half;
    default:
      return half && (rest || odd);  // rn, rni, and the default where none is written
  }
}

// The magnitude delivered for a value too large for the format (IEEE 754, 7.4).
constexpr std::uint64_t overflowed(const FloatFormat& format, ptx::Rounding rounding, bool negative,
                                   bool finite) {
  if (finite) return format.largest_finite();
  const std::uint64_t infinity = format.has_infinity ? format.infinity() : format.canonical_nan;
  switch (rounding) {
    case ptx::Rounding::rz:
      return format.largest_finite();
    case ptx::Rounding::rm:
      return negative ? infinity : format.largest_finite();
    case ptx::Rounding::rp:
      return negative ? format.largest_finite() : infinity;
    default:
      return infinity;
  }
}

}  // namespace detail

// value >> drop rounded to an integer; drop may be anything from 0 up. Precondition: no more than 63 bits
// remain.
constexpr std::uint64_t round_shift(const ExactValue& value, int drop, ptx::Rounding rounding) {
  if (drop <= 0) {
    const std::uint64_t kept = value.mantissa;
    return kept + (detail::rounds_up(rounding, value.negative, kept & 1, false, value.sticky) ? 1 : 0);
  }
  const std::uint64_t kept = drop > 63 ? 0 : value.mantissa >> drop;
  const bool half = drop <= 64 && ((value.mantissa >> (drop - 1)) & 1) != 0;
  const std::uint64_t below = drop > 64 ? value.mantissa : value.mantissa & ((1ull << (drop - 1)) - 1);
  return kept +
         (detail::rounds_up(rounding, value.negative, kept & 1, half, below != 0 || value.sticky) ? 1 : 0);
}

// One rounding to the format. finite: overflow gives the largest finite value (.satfinite).
constexpr std::uint64_t encode(ExactValue value, const FloatFormat& format, ptx::Rounding rounding,
                               bool finite = false) {
  const std::uint64_t sign = value.negative ? format.sign_bit() : 0;
  if (value.mantissa == 0 && !value.sticky) return sign;
  if (value.mantissa == 0) value = {value.negative, 1, value.exponent - 64, true};
  const int leading = std::countl_zero(value.mantissa);
  value.mantissa <<= leading;  // the exact bits stay; what sticky means is far below them
  value.exponent -= leading;
  const int biased = value.exponent + 63 + format.bias();  // of the leading bit
  const int drop = 63 - format.mantissa_bits + (biased < 1 ? 1 - biased : 0);
  std::uint64_t magnitude = round_shift(value, drop, rounding);  // with the hidden bit where normal
  if (biased >= 1) magnitude += static_cast<std::uint64_t>(biased - 1) << format.mantissa_bits;
  magnitude <<= format.padding;
  if (biased > 2 * format.bias() + 1 || magnitude > format.largest_finite()) {
    magnitude = detail::overflowed(format, rounding, value.negative, finite);
  }
  return sign | magnitude;
}

// Infinities and NaN included. Every format here but f64 itself is narrower, so nothing is rounded.
inline double to_double(std::uint64_t bits, const FloatFormat& format) {
  const std::uint64_t magnitude = format.magnitude(bits);
  if (magnitude >= format.smallest_normal() && magnitude < format.infinity() && format.exponent_bits < 11) {
    // The common case: the fields only move. Adding to the exponent is adding above the mantissa.
    const int shift = kF64.mantissa_bits - format.mantissa_bits - format.padding;
    const auto rebias = static_cast<std::uint64_t>(kF64.bias() - format.bias()) << kF64.mantissa_bits;
    const std::uint64_t sign = format.is_negative(bits) ? kF64.sign_bit() : 0;
    return std::bit_cast<double>(sign | ((magnitude << shift) + rebias));
  }
  if (format.exponent_bits == 11) return std::bit_cast<double>(bits);
  if (format.is_nan(bits)) return std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (format.is_infinite(bits)) return format.is_negative(bits) ? -kInfinity : kInfinity;
  return std::bit_cast<double>(encode(decode(bits, format), kF64, ptx::Rounding::rn));
}

// A double rounded once to the format; NaN becomes the format's canonical NaN.
inline std::uint64_t from_double(double value, const FloatFormat& format,
                                 ptx::Rounding rounding = ptx::Rounding::rn, bool finite = false) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (std::isnan(value)) return format.canonical_nan;
  if (!std::isinf(value)) return encode(decode(bits, kF64), format, rounding, finite);
  const std::uint64_t sign = value < 0 ? format.sign_bit() : 0;
  if (finite) return sign | format.largest_finite();
  return sign | (format.has_infinity ? format.infinity() : format.canonical_nan);
}

// head + tail where |tail| is at most half a unit of head (what TwoSum or an exact remainder leaves), rounded
// once. Only the sign of tail matters, so any value of that sign will do. Precondition: head is finite and
// not zero, and the format has fewer than 52 bits.
inline std::uint64_t from_head_and_tail(double head, double tail, const FloatFormat& format,
                                        ptx::Rounding rounding, bool finite = false) {
  ExactValue value = decode(std::bit_cast<std::uint64_t>(head), kF64);
  if (tail != 0) {
    value.mantissa <<= 8;
    value.exponent -= 8;
    value.sticky = true;
    if (value.negative != (tail < 0)) value.mantissa -= 1;
  }
  return encode(value, format, rounding, finite);
}

}  // namespace warplens::emulator
