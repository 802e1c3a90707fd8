#include "engine/emulator/semantics/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens::emulator {
namespace {

using ptx::Rounding;

// A format's value by the definition in the ISA: (-1)^s * 1.m * 2^(e - bias).
double value_by_definition(std::uint64_t code, const FloatFormat& format) {
  const auto m = static_cast<double>(code & ((1u << format.mantissa_bits) - 1));
  const int e = static_cast<int>(code >> format.mantissa_bits & ((1u << format.exponent_bits) - 1));
  const double scale = std::ldexp(1.0, format.mantissa_bits);
  const double magnitude =
      e == 0 ? std::ldexp(m / scale, 1 - format.bias()) : std::ldexp(1 + m / scale, e - format.bias());
  return format.is_negative(code) ? -magnitude : magnitude;
}

TEST(Formats, EveryCodeGoesToDoubleAndBack) {
  for (const FloatFormat* format : {&kF16, &kBf16, &kE4m3, &kE5m2}) {
    const std::uint64_t codes = 2 * format->sign_bit();
    for (std::uint64_t code = 0; code < codes; ++code) {
      const double x = to_double(code, *format);
      if (format->is_nan(code)) {
        EXPECT_TRUE(std::isnan(x));
        continue;
      }
      if (!format->is_infinite(code)) {
        EXPECT_EQ(x, value_by_definition(code, *format)) << code;
      }
      EXPECT_EQ(from_double(x, *format), code);
    }
  }
}

// Between two neighbours every mode must pick by distance or direction.
TEST(Formats, RoundingPicksTheRightNeighbour) {
  for (const FloatFormat* format : {&kF16, &kBf16, &kE4m3, &kE5m2}) {
    for (std::uint64_t code = 0; code < format->largest_finite(); ++code) {
      const double low = to_double(code, *format), high = to_double(code + 1, *format);
      const std::uint64_t even = (code & 1) == 0 ? code : code + 1, minus = format->sign_bit();
      const double middle = (low + high) / 2, below = std::nextafter(middle, 0),
                   above = std::nextafter(middle, high);
      EXPECT_EQ(from_double(middle, *format), even);
      EXPECT_EQ(from_double(below, *format), code);
      EXPECT_EQ(from_double(above, *format), code + 1);
      EXPECT_EQ(from_double(middle, *format, Rounding::rna), code + 1);
      EXPECT_EQ(from_double(above, *format, Rounding::rz), code);
      EXPECT_EQ(from_double(below, *format, Rounding::rp), code + 1);
      EXPECT_EQ(from_double(-below, *format, Rounding::rm), (code + 1) | minus);
      EXPECT_EQ(from_double(-above, *format, Rounding::rp), code | minus);
    }
  }
}

TEST(Formats, OverflowGoesWhereTheModePoints) {
  EXPECT_EQ(from_double(65519.99, kF16), 0x7bffu);
  EXPECT_EQ(from_double(65520, kF16), 0x7c00u);
  EXPECT_EQ(from_double(1e9, kF16, Rounding::rz), 0x7bffu);
  EXPECT_EQ(from_double(-1e9, kF16, Rounding::rp), 0xfbffu);
  EXPECT_EQ(from_double(-1e9, kF16, Rounding::rm), 0xfc00u);
  EXPECT_EQ(from_double(1e9, kE4m3, Rounding::rn, true), 0x7eu);
  EXPECT_EQ(from_double(1e9, kE5m2, Rounding::rn, true), 0x7bu);
  EXPECT_EQ(from_double(1e-300, kF16, Rounding::rp), 1u);
}

}  // namespace
}  // namespace warplens::emulator
