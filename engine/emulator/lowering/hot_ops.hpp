// The operations that have a warp-wide handler of their own, one row an operation, and arrays by them.
#pragma once

#include "engine/emulator/lowering/hot_compares.hpp"

namespace warplens::emulator {

// Operations with a handler of their own: name, lane types of d, a, b, c, and the value. One row an
// operation. Shifts clamp as in PTX; a NaN that arithmetic makes is the hardware's 0x7fffffff, in double precision an operand's (of a
// quotient the first's).
#define WARPLENS_HOT_OPS(ROW)                                                               \
  ROW(add32, u32, u32, u32, u32, a + b)                                                     \
  ROW(sub32, u32, u32, u32, u32, a - b)                                                     \
  ROW(mul32, u32, u32, u32, u32, a* b)                                                      \
  ROW(mad32, u32, u32, u32, u32, a* b + c)                                                  \
  ROW(and32, u32, u32, u32, u32, a& b)                                                      \
  ROW(or32, u32, u32, u32, u32, a | b)                                                      \
  ROW(xor32, u32, u32, u32, u32, a ^ b)                                                     \
  ROW(not32, u32, u32, u32, u32, ~a)                                                        \
  ROW(neg32, u32, u32, u32, u32, 0u - a)                                                    \
  ROW(shl32, u32, u32, u32, u32, b > 31 ? 0 : a << (b & 31))                                \
  ROW(shr_u32, u32, u32, u32, u32, b > 31 ? 0 : a >> (b & 31))                              \
  ROW(shr_s32, s32, s32, u32, u32, a >> (b > 31 ? 31 : b))                                  \
  ROW(min_s32, s32, s32, s32, u32, a < b ? a : b)                                           \
  ROW(max_s32, s32, s32, s32, u32, a > b ? a : b)                                           \
  ROW(min_u32, u32, u32, u32, u32, a < b ? a : b)                                           \
  ROW(max_u32, u32, u32, u32, u32, a > b ? a : b)                                           \
  ROW(mov32, u32, u32, u32, u32, a)                                                         \
  ROW(add64, u64, u64, u64, u32, a + b)                                                     \
  ROW(sub64, u64, u64, u64, u32, a - b)                                                     \
  ROW(mul64, u64, u64, u64, u32, a* b)                                                      \
  ROW(mad64, u64, u64, u64, u64, a* b + c)                                                  \
  ROW(and64, u64, u64, u64, u32, a& b)                                                      \
  ROW(or64, u64, u64, u64, u32, a | b)                                                      \
  ROW(shl64, u64, u64, u32, u32, b > 63 ? 0 : a << (b & 63))                                \
  ROW(shr_u64, u64, u64, u32, u32, b > 63 ? 0 : a >> (b & 63))                              \
  ROW(shr_s64, s64, s64, u32, u32, a >> (b > 63 ? 63 : b))                                  \
  ROW(mov64, u64, u64, u64, u64, a)                                                         \
  ROW(mul_wide_s32, s64, s32, s32, u32, s64{a} * b)                                         \
  ROW(mul_wide_u32, u64, u32, u32, u32, u64{a} * b)                                         \
  ROW(mad_wide_s32, s64, s32, s32, u64, static_cast<s64>(static_cast<u64>(s64{a} * b) + c)) \
  ROW(mad_wide_u32, u64, u32, u32, u64, u64{a} * b + c)                                     \
  ROW(cvt_s64_s32, s64, s32, u32, u32, s64{a})                                              \
  ROW(cvt_u64_u32, u64, u32, u32, u32, u64{a})                                              \
  ROW(cvt_u32_u64, u32, u64, u32, u32, static_cast<u32>(a))                                 \
  ROW(cvt_f32_s32, u32, s32, u32, u32, bits_of(static_cast<f32>(a)))                        \
  ROW(cvt_f32_u32, u32, u32, u32, u32, bits_of(static_cast<f32>(a)))                        \
  ROW(add_f32, u32, f32, f32, u32, canonical(a + b))                                        \
  ROW(sub_f32, u32, f32, f32, u32, canonical(a - b))                                        \
  ROW(mul_f32, u32, f32, f32, u32, canonical(a* b))                                         \
  ROW(fma_f32, u32, f32, f32, f32, canonical(fused(a, b, c)))                               \
  ROW(div_f32, u32, f32, f32, u32, canonical(a / b))                                        \
  ROW(rcp_f32, u32, f32, u32, u32, canonical(1.0f / a))                                     \
  ROW(sqrt_f32, u32, f32, u32, u32, canonical(__builtin_sqrtf(a)))                          \
  ROW(min_f32, u32, u32, u32, u32, min_f32_bits(a, b))                                      \
  ROW(max_f32, u32, u32, u32, u32, max_f32_bits(a, b))                                      \
  ROW(neg_f32, u32, f32, u32, u32, canonical(-a))                                           \
  ROW(abs_f32, u32, f32, u32, u32, canonical(__builtin_fabsf(a)))                           \
  ROW(add_f64, u64, f64, f64, u32, wide_result(a + b, a, b, b))                             \
  ROW(sub_f64, u64, f64, f64, u32, wide_result(a - b, a, b, b))                             \
  ROW(mul_f64, u64, f64, f64, u32, wide_result(a* b, a, b, b))                              \
  ROW(fma_f64, u64, f64, f64, f64, wide_result(__builtin_fma(a, b, c), a, b, c))            \
  ROW(div_f64, u64, f64, f64, u32, wide_result(a / b, b, a, a))                             \
  ROW(rcp_f64, u64, f64, u32, u32, wide_result(1.0 / a, a, a, a))                           \
  ROW(sqrt_f64, u64, f64, u32, u32, wide_result(__builtin_sqrt(a), a, a, a))                \
  ROW(neg_f64, u64, u64, u32, u32, wide_sign(a, a ^ kWideSign))                             \
  ROW(abs_f64, u64, u64, u32, u32, wide_sign(a, a & ~kWideSign))                            \
  ROW(cvt_f64_f32, u64, f32, u32, u32, bits_of(static_cast<f64>(a)))                        \
  ROW(cvt_f32_f64, u32, f64, u32, u32, bits_of(static_cast<f32>(a)))                        \
  ROW(cvt_f64_s32, u64, s32, u32, u32, bits_of(static_cast<f64>(a)))                        \
  ROW(cvt_f64_u32, u64, u32, u32, u32, bits_of(static_cast<f64>(a)))                        \
  ROW(cvt_f64_s64, u64, s64, u32, u32, bits_of(static_cast<f64>(a)))                        \
  ROW(cvt_f64_u64, u64, u64, u32, u32, bits_of(static_cast<f64>(a)))

enum class Hot : std::uint8_t {
#define ROW(name, d, a, b, c, value) name,
  WARPLENS_HOT_OPS(ROW)
#undef ROW
      count
};

// Address arithmetic, which has a handler on {base, stride} pairs too. One factor of a multiplication is
// uniform, b, and so is what shl shifts by.
constexpr bool multiplies(Hot op) {
  return op == Hot::mul32 || op == Hot::mad32 || op == Hot::mul64 || op == Hot::mad64 ||
         op == Hot::mul_wide_s32 || op == Hot::mul_wide_u32 || op == Hot::mad_wide_s32 ||
         op == Hot::mad_wide_u32;
}
constexpr bool shifts(Hot op) { return op == Hot::shl32 || op == Hot::shl64; }
constexpr bool has_affine_handler(Hot op) {
  return multiplies(op) || shifts(op) || op == Hot::mov32 || op == Hot::add32 || op == Hot::sub32 ||
         op == Hot::neg32 || op == Hot::mov64 || op == Hot::add64 || op == Hot::sub64 ||
         op == Hot::cvt_s64_s32 || op == Hot::cvt_u64_u32 || op == Hot::cvt_u32_u64;
}

// Shapes of a memory access: element bytes x elements a lane.
enum class Shape : std::uint8_t { e4x1, e4x2, e8x1, e4x4, e8x2, count };

}  // namespace warplens::emulator
