// Sums of products as an H100's tensor cores take them (matrix.hpp says how), for many columns at once. The
// exact products of one instruction and c are aligned to the largest exponent, cut off 25 bits below it and
// added; the sum is cut to f32.
#pragma once

#include <cstdint>
#include <span>

#include "engine/emulator/semantics/float_formats.hpp"

namespace warplens::emulator {

// The exponent of a factor that is zero: no sum with another one reaches any that counts.
inline constexpr std::int32_t kExponentOfZero = -100000;
inline constexpr int kAlignedColumns = 16;  // what `stride` is a multiple of

struct AlignedProduct {
  const float* a = nullptr;  // rows x depth, finite
  const std::int32_t* a_exponent = nullptr;
  const float* b = nullptr;  // depth x stride, finite
  const std::int32_t* b_exponent = nullptr;
  float* c = nullptr;                   // rows x stride; becomes the sum
  std::uint8_t* left_out = nullptr;     // rows x stride: 1 where c was left as it is: see below
  int rows = 0, depth = 0, stride = 0;  // depth: 64 at most
};
// Whether some were left out: infinities, NaN, and sums so small or large that f32 does not hold their parts.
bool aligned_product(const AlignedProduct& product);

// A value and the exponent that it brings to a sum.
struct Term {
  double value = 0;
  std::int32_t exponent = 0;
};
Term term_of(std::uint64_t bits, const FloatFormat& format);
// One sum of any terms, as bits of the format; of f16 rounded to nearest from f32.
std::uint64_t aligned_sum(std::span<const Term> terms, const FloatFormat& format);

}  // namespace warplens::emulator
