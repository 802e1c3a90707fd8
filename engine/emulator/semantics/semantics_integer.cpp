// Integer arithmetic: PTX ISA 9.0, sections 9.7.1 "Integer Arithmetic Instructions" and 9.7.2
// "Extended-Precision".
#include <algorithm>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator::detail {
namespace {

using ptx::MulPart;

Wide clamp_to(Wide value, Type type) {
  const int bits = bits_of(type);
  const Wide one = 1;
  if (is_signed_integer(type)) return std::clamp(value, -(one << (bits - 1)), (one << (bits - 1)) - 1);
  return std::clamp(value, Wide{0}, (one << bits) - 1);
}

// d = a + b (+ carry); the carry leaves at the type's width. "sat" exists for s32 alone and has no carry.
LaneResult add(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  if (i.saturate) {
    return result_of(clamp_to(integer_value(in.a, i.type) + integer_value(in.b, i.type), i.type), bits);
  }
  const UnsignedWide carry = i.opcode == Opcode::addc && in.carry ? 1 : 0;
  const UnsignedWide sum = UnsignedWide{zero_extend(in.a, bits)} + zero_extend(in.b, bits) + carry;
  return {zero_extend(static_cast<std::uint64_t>(sum), bits), 0, (sum >> bits) != 0};
}

// d = a - b (- borrow). The flag holds the borrow: PTX ISA, sub.cc "writes borrow-out to CC.CF".
LaneResult sub(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  if (i.saturate) {
    return result_of(clamp_to(integer_value(in.a, i.type) - integer_value(in.b, i.type), i.type), bits);
  }
  const Wide borrow = i.opcode == Opcode::subc && in.carry ? 1 : 0;
  const Wide difference = Wide{zero_extend(in.a, bits)} - Wide{zero_extend(in.b, bits)} - borrow;
  return {zero_extend(static_cast<std::uint64_t>(difference), bits), 0, difference < 0};
}

// Both halves of a 16x2 pair, without a carry between them.
LaneResult add_sub_pair(const Instruction& i, const LaneInputs& in) {
  const bool subtract = i.opcode == Opcode::sub;
  const Type type = element_of(i.type);
  return for_elements(i, in, [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
    const Wide x = integer_value(a, type), y = integer_value(b, type);
    const Wide exact = subtract ? x - y : x + y;
    return static_cast<std::uint64_t>(i.saturate ? clamp_to(exact, type) : exact);
  });
}

// The part of the full product that .lo, .hi or .wide names. A product of two 64-bit values fills 128 bits.
std::uint64_t product_part(const Instruction& i, std::uint64_t a, std::uint64_t b, MulPart part) {
  const int bits = bits_of(i.type);
  const auto product = static_cast<UnsignedWide>(integer_value(a, i.type)) *
                       static_cast<UnsignedWide>(integer_value(b, i.type));
  if (part == MulPart::wide) return zero_extend(static_cast<std::uint64_t>(product), 2 * bits);
  const UnsignedWide shifted = part == MulPart::hi ? product >> bits : product;
  return zero_extend(static_cast<std::uint64_t>(shifted), bits);
}

LaneResult mul(const Instruction& i, const LaneInputs& in) {
  return result_of(product_part(i, in.a, in.b, i.part));
}

// d = part(a * b) + c (+ carry).
LaneResult mad(const Instruction& i, const LaneInputs& in) {
  const int bits = i.part == MulPart::wide ? 2 * bits_of(i.type) : bits_of(i.type);
  const std::uint64_t product = product_part(i, in.a, in.b, i.part);
  if (i.saturate) {
    return result_of(clamp_to(Wide{sign_extend(product, bits)} + sign_extend(in.c, bits), i.type), bits);
  }
  const UnsignedWide carry = i.opcode == Opcode::madc && in.carry ? 1 : 0;
  const UnsignedWide sum = UnsignedWide{product} + zero_extend(in.c, bits) + carry;
  return {zero_extend(static_cast<std::uint64_t>(sum), bits), 0, (sum >> bits) != 0};
}

// 24 x 24 bits: .lo is the low 32 bits of the 48-bit product, .hi its high 32 (bits 47 to 16).
std::uint64_t product24(const Instruction& i, const LaneInputs& in) {
  const bool negative = is_signed_integer(i.type);
  const Wide a = negative ? Wide{sign_extend(in.a, 24)} : Wide{zero_extend(in.a, 24)};
  const Wide b = negative ? Wide{sign_extend(in.b, 24)} : Wide{zero_extend(in.b, 24)};
  const Wide product = a * b;
  return zero_extend(static_cast<std::uint64_t>(i.part == MulPart::hi ? product >> 16 : product), 32);
}
LaneResult mul24(const Instruction& i, const LaneInputs& in) { return result_of(product24(i, in)); }
LaneResult mad24(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t product = product24(i, in);
  if (i.saturate)
    return result_of(clamp_to(Wide{sign_extend(product, 32)} + sign_extend(in.c, 32), i.type), 32);
  return result_of(zero_extend(product + in.c, 32));
}

// d = c + |a - b|
LaneResult sad(const Instruction& i, const LaneInputs& in) {
  const Wide a = integer_value(in.a, i.type), b = integer_value(in.b, i.type);
  return result_of((a < b ? b - a : a - b) + static_cast<Wide>(in.c), bits_of(i.type));
}

// Division by zero "yields an unspecified, machine-specific value" (9.7.1.8).
// Here as measured on an H100: all ones for both.
LaneResult div(const Instruction& i, const LaneInputs& in) {
  const Wide a = integer_value(in.a, i.type), b = integer_value(in.b, i.type);
  return result_of(b == 0 ? Wide{-1} : a / b, bits_of(i.type));
}
LaneResult rem(const Instruction& i, const LaneInputs& in) {
  const Wide a = integer_value(in.a, i.type), b = integer_value(in.b, i.type);
  return result_of(b == 0 ? Wide{-1} : a % b, bits_of(i.type));
}

// The most negative value has no positive partner and stays as it is.
LaneResult abs(const Instruction& i, const LaneInputs& in) {
  const Wide a = integer_value(in.a, i.type);
  return result_of(a < 0 ? -a : a, bits_of(i.type));
}
LaneResult neg(const Instruction& i, const LaneInputs& in) {
  return result_of(-integer_value(in.a, i.type), bits_of(i.type));
}

LaneResult min_max(const Instruction& i, const LaneInputs& in) {
  const Type type = element_of(i.type);
  return for_elements(i, in, [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
    const Wide x = integer_value(a, type), y = integer_value(b, type);
    const Wide best = i.opcode == Opcode::min ? std::min(x, y) : std::max(x, y);
    return static_cast<std::uint64_t>(i.relu ? std::max(best, Wide{0}) : best);
  });
}

// Dot products of bytes (dp4a) or of two 16-bit halves with two bytes (dp2a), added to c. type is a's,
// source_type b's.
LaneResult dp4a(const Instruction& i, const LaneInputs& in) {
  const Type a_type = is_signed_integer(i.type) ? Type::s8 : Type::u8;
  const Type b_type = is_signed_integer(i.source_type) ? Type::s8 : Type::u8;
  Wide sum = static_cast<Wide>(in.c);
  for (int k = 0; k < 4; ++k) {
    sum += integer_value(in.a >> (8 * k), a_type) * integer_value(in.b >> (8 * k), b_type);
  }
  return result_of(sum, 32);
}
LaneResult dp2a(const Instruction& i, const LaneInputs& in) {
  const Type a_type = is_signed_integer(i.type) ? Type::s16 : Type::u16;
  const Type b_type = is_signed_integer(i.source_type) ? Type::s8 : Type::u8;
  const int first = i.part == MulPart::hi ? 16 : 0;
  Wide sum = static_cast<Wide>(in.c);
  for (int k = 0; k < 2; ++k) {
    sum += integer_value(in.a >> (16 * k), a_type) * integer_value(in.b >> (first + 8 * k), b_type);
  }
  return result_of(sum, 32);
}

bool is_packed_integer(Type type) { return type == Type::u16x2 || type == Type::s16x2; }
bool is_16_to_64(Type type) { return is_integer(type) && bits_of(type) >= 16; }
bool is_any_width(Type type) { return is_16_to_64(type) || is_packed_integer(type); }
bool is_signed_16_to_64(Type type) { return is_16_to_64(type) && is_signed_integer(type); }
bool is_32_bits(Type type) { return type == Type::u32 || type == Type::s32; }

constexpr FormRow kForms[] = {
    {Opcode::add, is_packed_integer, add_sub_pair},
    {Opcode::add, is_16_to_64, add},
    {Opcode::addc, is_16_to_64, add},
    {Opcode::sub, is_packed_integer, add_sub_pair},
    {Opcode::sub, is_16_to_64, sub},
    {Opcode::subc, is_16_to_64, sub},
    {Opcode::mul, is_16_to_64, mul},
    {Opcode::mad, is_16_to_64, mad},
    {Opcode::madc, is_16_to_64, mad},
    {Opcode::mul24, is_32_bits, mul24},
    {Opcode::mad24, is_32_bits, mad24},
    {Opcode::sad, is_16_to_64, sad},
    {Opcode::div, is_16_to_64, div},
    {Opcode::rem, is_16_to_64, rem},
    {Opcode::abs, is_signed_16_to_64, abs},
    {Opcode::neg, is_signed_16_to_64, neg},
    {Opcode::min, is_any_width, min_max},
    {Opcode::max, is_any_width, min_max},
    {Opcode::dp4a, is_32_bits, dp4a},
    {Opcode::dp2a, is_32_bits, dp2a},
};

}  // namespace

LaneFunction integer_function(const Instruction& i) {
  const bool product = i.opcode == Opcode::mul || i.opcode == Opcode::mad || i.opcode == Opcode::madc;
  if (product && i.part == MulPart::none) return nullptr;
  if (product && i.part == MulPart::wide && bits_of(i.type) == 64) return nullptr;
  const bool dot = i.opcode == Opcode::dp4a || i.opcode == Opcode::dp2a;
  return dot && !is_32_bits(i.source_type) ? nullptr : function_of(kForms, i);
}

}  // namespace warplens::emulator::detail
