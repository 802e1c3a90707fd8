#pragma once
#include <warplens/limits>
namespace std {
template <class T> struct numeric_limits;
#define WARPLENS_LIMITS(T, least, most, low, eps, whole) template <> struct numeric_limits<T> { \
  static constexpr bool is_specialized = true, is_integer = whole; \
  __host__ __device__ static constexpr T min() { return least; } __host__ __device__ static constexpr T max() { return most; } \
  __host__ __device__ static constexpr T lowest() { return low; } __host__ __device__ static constexpr T epsilon() { return eps; } \
  __device__ static T infinity() { return whole ? static_cast<T>(0) : static_cast<T>(__int_as_float(0x7f800000)); } \
  __device__ static T quiet_NaN() { return whole ? static_cast<T>(0) : static_cast<T>(__int_as_float(0x7fffffff)); } };
WARPLENS_LIMITS(float, FLT_MIN, FLT_MAX, -FLT_MAX, FLT_EPSILON, false)
WARPLENS_LIMITS(double, DBL_MIN, DBL_MAX, -DBL_MAX, DBL_EPSILON, false)
WARPLENS_LIMITS(int, INT_MIN, INT_MAX, INT_MIN, 0, true)
WARPLENS_LIMITS(unsigned, 0, UINT_MAX, 0, 0, true)
WARPLENS_LIMITS(long, -LONG_MAX - 1, LONG_MAX, -LONG_MAX - 1, 0, true)
WARPLENS_LIMITS(unsigned long, 0, 18446744073709551615UL, 0, 0, true)
WARPLENS_LIMITS(long long, -LLONG_MAX - 1, LLONG_MAX, -LLONG_MAX - 1, 0, true)
WARPLENS_LIMITS(unsigned long long, 0, ULLONG_MAX, 0, 0, true)
WARPLENS_LIMITS(short, -32768, 32767, -32768, 0, true)
WARPLENS_LIMITS(unsigned short, 0, 65535, 0, 0, true)
WARPLENS_LIMITS(char, -128, 127, -128, 0, true)
WARPLENS_LIMITS(signed char, -128, 127, -128, 0, true)
WARPLENS_LIMITS(unsigned char, 0, 255, 0, 0, true)
#undef WARPLENS_LIMITS
}
