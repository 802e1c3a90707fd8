// Logic, shifts and bit fields: PTX ISA 9.0, sections 9.7.1 (bit fields) and 9.7.8 "Logic and Shift
// Instructions".
#include <algorithm>
#include <bit>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator::detail {
namespace {

using ptx::PermuteMode;

LaneResult and_(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend(in.a & in.b, bits_of(i.type)));
}
LaneResult or_(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend(in.a | in.b, bits_of(i.type)));
}
LaneResult xor_(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend(in.a ^ in.b, bits_of(i.type)));
}
LaneResult not_(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend(~in.a, bits_of(i.type)));
}
LaneResult cnot(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend(in.a, bits_of(i.type)) == 0 ? 1 : 0);
}

// Bit k of the table is the result for the inputs whose bits spell k = 4a + 2b + c.
std::uint64_t lookup3(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t value = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if ((table >> k & 1) == 0) continue;
    value |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  }
  return zero_extend(value, 32);
}
// lop3.BoolOp.b32 d|p, a, b, c, table, q: p = (d != 0) BoolOp q.
LaneResult lop3(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t value = lookup3(in.a, in.b, in.c, in.d);
  const bool set = value != 0, q = (in.e & 1) != 0;
  const bool second = i.bool_op == ptx::BoolOp::and_ ? set && q : set || q;
  return {value, i.bool_op == ptx::BoolOp::none ? 0u : static_cast<std::uint64_t>(second), false};
}

// A shift by the width or more clears the value, or fills it with its sign (9.7.8.9: "clamped").
LaneResult shl(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  const std::uint64_t amount = zero_extend(in.b, 32);
  return result_of(amount >= static_cast<unsigned>(bits) ? 0 : zero_extend(in.a << amount, bits));
}
LaneResult shr(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  const std::uint64_t amount = zero_extend(in.b, 32);
  if (is_signed_integer(i.type)) {
    const std::uint64_t clamped = std::min<std::uint64_t>(amount, 63);
    return result_of(zero_extend(static_cast<std::uint64_t>(sign_extend(in.a, bits) >> clamped), bits));
  }
  return result_of(amount >= static_cast<unsigned>(bits) ? 0 : zero_extend(in.a, bits) >> amount);
}

// The 64 bits b:a shifted by c, clamped to 32 or wrapped at 32; .l keeps the high word, .r the low one.
LaneResult shf(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t c = zero_extend(in.c, 32);
  const std::uint64_t amount = i.clamp ? std::min<std::uint64_t>(c, 32) : c & 31;
  const std::uint64_t both = zero_extend(in.b, 32) << 32 | zero_extend(in.a, 32);
  return result_of(i.left ? (both << amount) >> 32 : zero_extend(both >> amount, 32));
}

// Position and length of a field. The ISA takes their low 8 bits; an H100 does so for 32-bit fields, but
// takes larger values of 64-bit forms, which it has no instruction for, as they are.
int field_operand(std::uint64_t value, int bits) {
  const std::uint64_t word = zero_extend(value, 32);
  return static_cast<int>(bits == 64 ? std::min<std::uint64_t>(word, 255) : word & 255);
}

// bfe: `length` bits of a from `position`, zero- or sign-filled above; the sign is the field's top bit, or
// a's where the field reaches beyond it.
LaneResult bfe(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  const int position = field_operand(in.b, bits), length = field_operand(in.c, bits);
  const std::uint64_t a = zero_extend(in.a, bits);
  const std::uint64_t field = position >= bits ? 0 : zero_extend(a >> position, std::min(length, bits));
  if (!is_signed_integer(i.type) || length == 0) return result_of(field);
  const int top = std::min(position + length - 1, bits - 1);
  const int kept = std::clamp(bits - position, 0, length);  // bits of the field that a really has
  const bool negative = (a >> top & 1) != 0;
  return result_of(negative ? zero_extend(field | ~low_mask(kept), bits) : field);
}
// bfi: the low `length` bits of a put into b at `position`.
LaneResult bfi(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  const int position = field_operand(in.c, bits), length = field_operand(in.d, bits);
  const std::uint64_t b = zero_extend(in.b, bits);
  if (position >= bits) return result_of(b);
  const std::uint64_t field = zero_extend(low_mask(std::min(length, bits)) << position, bits);
  return result_of((b & ~field) | (in.a << position & field));
}
// The position of the highest bit that differs from the sign (signed) or is set; all ones where there is
// none.
LaneResult bfind(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  std::uint64_t a = zero_extend(in.a, bits);
  if (is_signed_integer(i.type) && (a >> (bits - 1) & 1) != 0) a = zero_extend(~a, bits);
  if (a == 0) return result_of(0xffffffffu);
  const int position = 63 - std::countl_zero(a);
  return result_of(static_cast<std::uint64_t>(i.shift_amount ? bits - 1 - position : position));
}
LaneResult brev(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  std::uint64_t reversed = 0;
  for (int k = 0; k < bits; ++k) reversed |= (in.a >> k & 1) << (bits - 1 - k);
  return result_of(reversed);
}
LaneResult clz(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  return result_of(static_cast<std::uint64_t>(std::countl_zero(zero_extend(in.a, bits)) - (64 - bits)));
}
LaneResult popc(const Instruction& i, const LaneInputs& in) {
  return result_of(static_cast<std::uint64_t>(std::popcount(zero_extend(in.a, bits_of(i.type)))));
}
// The position of the n-th set bit of mask, counted up or down from base (n = offset, 1 being base itself
// where set).
LaneResult fns(const Instruction&, const LaneInputs& in) {
  const std::uint64_t mask = zero_extend(in.a, 32);
  const std::int64_t base = static_cast<std::int64_t>(zero_extend(in.b, 32));
  const std::int64_t offset = sign_extend(in.c, 32);
  if (base > 31) return result_of(0xffffffffu);  // undefined in the ISA
  if (offset == 0) return result_of((mask >> base & 1) != 0 ? static_cast<std::uint64_t>(base) : 0xffffffffu);
  const int step = offset > 0 ? 1 : -1;
  std::int64_t left = offset > 0 ? offset : -offset;
  for (std::int64_t position = base; position >= 0 && position < 32; position += step) {
    if ((mask >> position & 1) != 0 && --left == 0) return result_of(static_cast<std::uint64_t>(position));
  }
  return result_of(0xffffffffu);
}
LaneResult szext(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t b = zero_extend(in.b, 32);
  if (i.clamp && b >= 32) return result_of(zero_extend(in.a, 32));
  const int length = static_cast<int>(b & 31);
  if (length == 0) return result_of(0);
  if (!is_signed_integer(i.type)) return result_of(zero_extend(in.a, length));
  return result_of(zero_extend(static_cast<std::uint64_t>(sign_extend(in.a, length)), 32));
}
// b ones from position a.
LaneResult bmsk(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t a = zero_extend(in.a, 32), b = zero_extend(in.b, 32);
  if (i.clamp && a >= 32) return result_of(0);
  const int position = static_cast<int>(a & 31);
  const int length = i.clamp && b >= 32 ? 32 : static_cast<int>(b & 31);
  return result_of(zero_extend(low_mask(length) << position, 32));
}

// Which of the eight bytes of b:a goes where, by mode (the tables of 9.7.9.7).
unsigned permute_selector(PermuteMode mode, unsigned select, unsigned k) {
  switch (mode) {
    case PermuteMode::f4e:
      return (select + k) & 7;
    case PermuteMode::b4e:
      return (select - k) & 7;
    case PermuteMode::rc8:
      return select;
    case PermuteMode::ecl:
      return std::max(k, select);
    case PermuteMode::ecr:
      return std::min(k, select);
    default:
      return 2 * (select & 1) + (k & 1);  // rc16
  }
}
LaneResult prmt(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t bytes = zero_extend(in.b, 32) << 32 | zero_extend(in.a, 32);
  std::uint64_t value = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const bool generic = i.permute == PermuteMode::none;
    const auto nibble = static_cast<unsigned>(in.c >> (4 * k) & 15);
    const unsigned selector =
        generic ? nibble & 7 : permute_selector(i.permute, static_cast<unsigned>(in.c & 3), k);
    std::uint64_t byte = bytes >> (8 * selector) & 0xff;
    if (generic && (nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;  // the byte's sign, eight times
    value |= byte << (8 * k);
  }
  return result_of(value);
}

bool is_word(Type type) { return type == Type::b32; }
bool is_bits(Type type) { return type == Type::b16 || type == Type::b32 || type == Type::b64; }
bool is_bits_or_pred(Type type) { return is_bits(type) || type == Type::pred; }
bool is_bits_32_64(Type type) { return type == Type::b32 || type == Type::b64; }
bool is_integer_32_64(Type type) { return is_integer(type) && bits_of(type) >= 32; }
bool is_integer_32(Type type) { return is_integer(type) && bits_of(type) == 32; }
bool is_shiftable(Type type) { return is_bits(type) || (is_integer(type) && bits_of(type) >= 16); }

constexpr FormRow kForms[] = {
    {Opcode::and_, is_bits_or_pred, and_}, {Opcode::or_, is_bits_or_pred, or_},
    {Opcode::xor_, is_bits_or_pred, xor_}, {Opcode::not_, is_bits_or_pred, not_},
    {Opcode::cnot, is_bits, cnot},         {Opcode::lop3, is_word, lop3},
    {Opcode::shl, is_bits, shl},           {Opcode::shr, is_shiftable, shr},
    {Opcode::shf, is_word, shf},           {Opcode::bfe, is_integer_32_64, bfe},
    {Opcode::bfi, is_bits_32_64, bfi},     {Opcode::bfind, is_integer_32_64, bfind},
    {Opcode::brev, is_bits_32_64, brev},   {Opcode::clz, is_bits_32_64, clz},
    {Opcode::popc, is_bits_32_64, popc},   {Opcode::fns, is_word, fns},
    {Opcode::szext, is_integer_32, szext}, {Opcode::bmsk, is_word, bmsk},
    {Opcode::prmt, is_word, prmt},
};

}  // namespace

LaneFunction bit_function(const Instruction& i) { return function_of(kForms, i); }

}  // namespace warplens::emulator::detail
