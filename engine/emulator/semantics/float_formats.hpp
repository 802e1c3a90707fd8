// The floating-point formats of the GPU as bit patterns. Sources: PTX ISA 9.0, "Alternate Floating-Point Data
// Formats"; IEEE 754-2019; OCP 8-bit Floating Point (E4M3, E5M2).
#pragma once

#include <cstdint>

namespace warplens::emulator {

struct FloatFormat {
  int exponent_bits = 0;
  int mantissa_bits = 0;     // stored ones
  int padding = 0;           // low bits below the mantissa that are always zero (tf32 in a 32-bit register)
  bool has_infinity = true;  // e4m3 has none: its largest code but one is 448, its largest is NaN
  std::uint64_t canonical_nan = 0;  // what arithmetic delivers

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign_bit() const { return 1ull << (exponent_bits + mantissa_bits + padding); }
  constexpr std::uint64_t infinity() const {
    return ((1ull << exponent_bits) - 1) << (mantissa_bits + padding);
  }
  constexpr std::uint64_t largest_finite() const {
    return has_infinity ? infinity() - (1ull << padding) : canonical_nan - 1;
  }
  constexpr std::uint64_t smallest_normal() const { return 1ull << (mantissa_bits + padding); }
  constexpr std::uint64_t one() const {
    return static_cast<std::uint64_t>(bias()) << (mantissa_bits + padding);
  }

  constexpr bool is_negative(std::uint64_t bits) const { return (bits & sign_bit()) != 0; }
  constexpr std::uint64_t magnitude(std::uint64_t bits) const { return bits & (sign_bit() - 1); }
  constexpr bool is_nan(std::uint64_t bits) const {
    return has_infinity ? magnitude(bits) > infinity() : magnitude(bits) == canonical_nan;
  }
  constexpr bool is_infinite(std::uint64_t bits) const {
    return has_infinity && magnitude(bits) == infinity();
  }
  constexpr bool is_subnormal(std::uint64_t bits) const {
    return magnitude(bits) != 0 && magnitude(bits) < smallest_normal();
  }
};

inline constexpr FloatFormat kF16{5, 10, 0, true, 0x7fff};
inline constexpr FloatFormat kBf16{8, 7, 0, true, 0x7fff};
inline constexpr FloatFormat kTf32{8, 10, 13, true, 0x7fffe000};
inline constexpr FloatFormat kF32{8, 23, 0, true, 0x7fffffff};
inline constexpr FloatFormat kF64{11, 52, 0, true, 0xfff8000000000000};
inline constexpr FloatFormat kE4m3{4, 3, 0, false, 0x7f};
inline constexpr FloatFormat kE5m2{5, 2, 0, true, 0x7f};

}  // namespace warplens::emulator
