// Shared by the semantics_*.cpp files: widths, extension, packed halves. Not for other code.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/emulator/semantics/rounding.hpp"
#include "engine/emulator/semantics/semantics.hpp"
#include "engine/ptx/types.hpp"

namespace warplens::emulator::detail {

using ptx::Instruction, ptx::Opcode, ptx::Rounding, ptx::Type;

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr int bits_of(Type type) { return ptx::row_of(type).bits; }
// The type of one half of a pair; the type itself where it is no pair.
constexpr Type element_of(Type type) { return ptx::row_of(type).element; }
constexpr bool is_pair(Type type) { return element_of(type) != type; }
constexpr bool is_signed_integer(Type type) {
  return ptx::row_of(type).kind == ptx::TypeKind::signed_integer && !is_pair(type);
}
constexpr bool is_integer(Type type) {
  return is_signed_integer(type) ||
         (ptx::row_of(type).kind == ptx::TypeKind::unsigned_integer && !is_pair(type));
}
constexpr bool is_floating(Type type) {  // that arithmetic knows: 16 bits and more
  return ptx::row_of(type).kind == ptx::TypeKind::floating && bits_of(type) >= 16;
}

constexpr const FloatFormat& format_of(Type type) {
  switch (element_of(type)) {
    case Type::f16:
      return kF16;
    case Type::bf16:
      return kBf16;
    case Type::tf32:
      return kTf32;
    case Type::f64:
      return kF64;
    case Type::e4m3:
      return kE4m3;
    case Type::e5m2:
      return kE5m2;
    default:
      return kF32;
  }
}

constexpr std::uint64_t low_mask(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }
constexpr std::uint64_t zero_extend(std::uint64_t value, int bits) { return value & low_mask(bits); }
constexpr std::int64_t sign_extend(std::uint64_t value, int bits) {
  if (bits >= 64) return static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}
// The integer that a bit pattern of the type stands for.
constexpr Wide integer_value(std::uint64_t bits, Type type) {
  const int width = bits_of(type);
  if (is_signed_integer(type)) return sign_extend(bits, width);
  return static_cast<Wide>(zero_extend(bits, width));
}

inline LaneResult result_of(std::uint64_t value) { return {value, 0, false}; }
inline LaneResult result_of(Wide value, int bits) {
  return {zero_extend(static_cast<std::uint64_t>(value), bits), 0, false};
}

// Applies an element function (bits, bits, bits) -> bits to both halves of a pair, or to the value that is
// none.
template <class F>
LaneResult for_elements(const Instruction& i, const LaneInputs& in, F f) {
  const int bits = bits_of(element_of(i.type));
  const std::uint64_t m = low_mask(bits);
  const std::uint64_t low = f(in.a & m, in.b & m, in.c & m) & m;
  if (!is_pair(i.type)) return {low, 0, false};
  return {low | (f(in.a >> bits & m, in.b >> bits & m, in.c >> bits & m) & m) << bits, 0, false};
}

inline int source_count(const Instruction& i) { return static_cast<int>(i.operands.size()) - i.destinations; }

// Subnormals become zeros of their sign under .ftz, for the formats that PTX flushes.
constexpr std::uint64_t flush(std::uint64_t bits, const FloatFormat& format, bool ftz) {
  return ftz && format.is_subnormal(bits) ? bits & format.sign_bit() : bits;
}

// A f64 NaN with its quiet bit set; payload and sign stay.
constexpr std::uint64_t quieted(std::uint64_t bits) { return bits | 1ull << 51; }

// a * b + c, rounded once. With a zero c and a product that is none it is a * b: musl's fma forgets the sign of a product that
// is too small for a double.
inline double fused(double a, double b, double c) {
  return c == 0 && a != 0 && b != 0 ? a * b : std::fma(a, b, c);
}

// An opcode with a function for the types that it takes.
struct FormRow {
  Opcode opcode;
  bool (*takes)(Type type);
  LaneFunction function;
};
inline LaneFunction function_of(std::span<const FormRow> forms, const Instruction& i) {
  for (const FormRow& form : forms)
    if (form.opcode == i.opcode && form.takes(i.type)) return form.function;
  return nullptr;
}

LaneFunction integer_function(const Instruction& instruction);
LaneFunction bit_function(const Instruction& instruction);
LaneFunction float_function(const Instruction& instruction);
LaneFunction approximate_function(const Instruction& instruction);
LaneFunction compare_function(const Instruction& instruction);
LaneFunction convert_function(const Instruction& instruction);

}  // namespace warplens::emulator::detail
