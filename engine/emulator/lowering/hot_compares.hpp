// The comparisons that have a warp-wide handler of their own, and arrays by such rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::emulator {

// Comparisons with a handler of their own: name, operand type, condition.
#define WARPLENS_HOT_COMPARES(ROW)     \
  ROW(eq_32, u32, a == b)              \
  ROW(ne_32, u32, a != b)              \
  ROW(lt_s32, s32, a < b)              \
  ROW(le_s32, s32, a <= b)             \
  ROW(gt_s32, s32, a > b)              \
  ROW(ge_s32, s32, a >= b)             \
  ROW(lt_u32, u32, a < b)              \
  ROW(le_u32, u32, a <= b)             \
  ROW(gt_u32, u32, a > b)              \
  ROW(ge_u32, u32, a >= b)             \
  ROW(eq_64, u64, a == b)              \
  ROW(ne_64, u64, a != b)              \
  ROW(lt_s64, s64, a < b)              \
  ROW(le_s64, s64, a <= b)             \
  ROW(gt_s64, s64, a > b)              \
  ROW(ge_s64, s64, a >= b)             \
  ROW(lt_u64, u64, a < b)              \
  ROW(le_u64, u64, a <= b)             \
  ROW(gt_u64, u64, a > b)              \
  ROW(ge_u64, u64, a >= b)             \
  ROW(eq_f32, f32, a == b)             \
  ROW(ne_f32, f32, a<b || a> b)        \
  ROW(lt_f32, f32, a < b)              \
  ROW(le_f32, f32, a <= b)             \
  ROW(gt_f32, f32, a > b)              \
  ROW(ge_f32, f32, a >= b)             \
  ROW(equ_f32, f32, !(a < b || a > b)) \
  ROW(neu_f32, f32, a != b)            \
  ROW(ltu_f32, f32, !(a >= b))         \
  ROW(leu_f32, f32, !(a > b))          \
  ROW(gtu_f32, f32, !(a <= b))         \
  ROW(geu_f32, f32, !(a < b))          \
  ROW(eq_f64, f64, a == b)             \
  ROW(ne_f64, f64, a<b || a> b)        \
  ROW(lt_f64, f64, a < b)              \
  ROW(le_f64, f64, a <= b)             \
  ROW(gt_f64, f64, a > b)              \
  ROW(ge_f64, f64, a >= b)             \
  ROW(equ_f64, f64, !(a < b || a > b)) \
  ROW(neu_f64, f64, a != b)            \
  ROW(ltu_f64, f64, !(a >= b))         \
  ROW(leu_f64, f64, !(a > b))          \
  ROW(gtu_f64, f64, !(a <= b))         \
  ROW(geu_f64, f64, !(a < b))

enum class HotCompare : std::uint8_t {
#define ROW(name, type, condition) name,
  WARPLENS_HOT_COMPARES(ROW)
#undef ROW
      count
};

template <class Enum, class T>
struct EnumArray : std::array<T, static_cast<std::size_t>(Enum::count)> {
  T& operator[](Enum e) {
    return std::array<T, static_cast<std::size_t>(Enum::count)>::operator[](static_cast<std::size_t>(e));
  }
  const T& operator[](Enum e) const {
    return std::array<T, static_cast<std::size_t>(Enum::count)>::operator[](static_cast<std::size_t>(e));
  }
};

}  // namespace warplens::emulator
