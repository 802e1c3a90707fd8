// Moves and conversions: PTX ISA 9.0, section 9.7.9 "Data Movement and Conversion Instructions" (cvt,
// cvt.pack, mov).
#include <algorithm>
#include <bit>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator::detail {
namespace {

Wide lowest(Type type) { return is_signed_integer(type) ? -(Wide{1} << (bits_of(type) - 1)) : Wide{0}; }
Wide highest(Type type) { return (Wide{1} << (bits_of(type) - (is_signed_integer(type) ? 1 : 0))) - 1; }

LaneResult integer_to_integer(const Instruction& i, const LaneInputs& in) {
  Wide value = integer_value(in.a, i.source_type);
  if (i.saturate) value = std::clamp(value, lowest(i.type), highest(i.type));
  return result_of(value, bits_of(i.type));
}

// .sat on a floating result: [0, 1], NaN and -0 become +0.
std::uint64_t saturated(std::uint64_t bits, const FloatFormat& format) {
  if (format.is_nan(bits) || format.is_negative(bits)) return 0;
  return std::min(bits, format.one());
}

LaneResult integer_to_float(const Instruction& i, const LaneInputs& in) {
  const Wide value = integer_value(in.a, i.source_type);
  const FloatFormat& format = format_of(i.type);
  const auto magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  const std::uint64_t bits = encode({value < 0, magnitude, 0, false}, format, i.rounding);
  return result_of(i.saturate ? saturated(bits, format) : bits);
}

// "NaN input results in zero if the source is not f64 and the destination is not s64 or u64; otherwise
// 1 << (width - 1)" (9.7.9.21). Narrower destinations than 32 bits are clamped from there.
LaneResult nan_to_integer(const Instruction& i) {
  const int bits = bits_of(i.type);
  const bool zero = i.source_type != Type::f64 && bits != 64;
  return result_of(zero ? 0 : 1ull << (bits - 1));
}

// Float to integer always saturates: values beyond the range give its nearest end.
LaneResult float_to_integer(const Instruction& i, const LaneInputs& in) {
  const FloatFormat& format = format_of(i.source_type);
  const int bits = bits_of(i.type);
  const std::uint64_t source = flush(zero_extend(in.a, bits_of(i.source_type)), format, i.ftz);
  if (format.is_nan(source)) return nan_to_integer(i);
  const bool negative = format.is_negative(source);
  const Wide limit = negative ? lowest(i.type) : highest(i.type);
  if (format.is_infinite(source)) return result_of(limit, bits);
  const ExactValue value = decode(source, format);
  const int width = 64 - std::countl_zero(value.mantissa);
  if (value.mantissa != 0 && value.exponent + width > 65) return result_of(limit, bits);
  const Wide magnitude = value.exponent > 0 ? Wide{value.mantissa} << value.exponent
                                            : Wide{round_shift(value, -value.exponent, i.rounding)};
  return result_of(std::clamp(negative ? -magnitude : magnitude, lowest(i.type), highest(i.type)), bits);
}

bool to_integral(Rounding rounding) {
  return rounding == Rounding::rni || rounding == Rounding::rzi || rounding == Rounding::rmi ||
         rounding == Rounding::rpi;
}

// A finite value rounded to an integral value of its own format; it keeps its sign, also at zero.
std::uint64_t round_to_integral(std::uint64_t bits, const FloatFormat& format, Rounding rounding) {
  const ExactValue value = decode(bits, format);
  if (value.exponent >= 0) return bits;
  const std::uint64_t whole = round_shift(value, -value.exponent, rounding);
  return encode({value.negative, whole, 0, false}, format, Rounding::rn);
}

// What becomes of a NaN. The ISA does not say; these are an H100's: conversions from and to f64 keep sign and
// payload (as far as it fits) and quieten, bf16 to f32 is a shift, rna to tf32 a truncation, the others give
// the canonical NaN.
std::uint64_t convert_nan(const Instruction& i, std::uint64_t bits, const FloatFormat& from,
                          const FloatFormat& to) {
  const int from_bits = from.mantissa_bits + from.padding, to_bits = to.mantissa_bits + to.padding;
  if (i.type == Type::f32 && i.source_type == Type::bf16) return bits << 16;
  if (i.rounding == Rounding::rna) return bits >> to.padding << to.padding;
  if (from_bits != kF64.mantissa_bits && to_bits != kF64.mantissa_bits) return to.canonical_nan;
  if (i.ftz && from_bits == kF32.mantissa_bits) bits = from.canonical_nan;
  const std::uint64_t payload = from.magnitude(bits) & (from.smallest_normal() - 1);
  const std::uint64_t kept =
      from_bits > to_bits ? payload >> (from_bits - to_bits) : payload << (to_bits - from_bits);
  return (from.is_negative(bits) ? to.sign_bit() : 0) | to.infinity() | to.smallest_normal() >> 1 | kept;
}

// PTX's .ftz concerns f32 alone, be it the source or the destination.
bool flushes(const Instruction& i, const FloatFormat& format) {
  return i.ftz && format.mantissa_bits == kF32.mantissa_bits;
}

std::uint64_t convert_float(const Instruction& i, std::uint64_t bits, const FloatFormat& from,
                            const FloatFormat& to) {
  const bool finite = i.saturate_finite || !to.has_infinity;
  bits = flush(bits, from, flushes(i, from));
  const std::uint64_t sign = from.is_negative(bits) ? to.sign_bit() : 0;
  std::uint64_t result = 0;
  if (from.is_nan(bits)) {
    result = convert_nan(i, bits, from, to);
  } else if (from.is_infinite(bits)) {
    result = sign | (finite ? to.largest_finite() : to.infinity());
  } else if (to_integral(i.rounding)) {
    result = encode(decode(round_to_integral(bits, from, i.rounding), from), to, Rounding::rn, finite);
  } else {
    result = encode(decode(bits, from), to, i.rounding, finite);
  }
  result = flush(result, to, flushes(i, to));
  if (i.relu && to.is_negative(result) && !to.is_nan(result)) return 0;
  return i.saturate ? saturated(result, to) : result;
}

LaneResult float_to_float(const Instruction& i, const LaneInputs& in) {
  const bool moves = i.type == i.source_type && bits_of(i.type) >= 32 && i.rounding == Rounding::none &&
                     !i.ftz && !i.saturate;
  if (moves) return result_of(zero_extend(in.a, bits_of(i.type)));  // not even a signalling NaN changes
  const std::uint64_t source = zero_extend(in.a, bits_of(i.source_type));
  return result_of(convert_float(i, source, format_of(i.source_type), format_of(i.type)));
}
// d = {a, b}: the first source goes into the upper half.
LaneResult two_to_pair(const Instruction& i, const LaneInputs& in) {
  const FloatFormat& from = format_of(i.source_type);
  const FloatFormat& to = format_of(i.type);
  const int half = bits_of(i.type) / 2;
  const int bits = bits_of(i.source_type);
  const std::uint64_t high = convert_float(i, zero_extend(in.a, bits), from, to);
  return result_of(high << half | convert_float(i, zero_extend(in.b, bits), from, to));
}
// Both halves on their own: e4m3x2 and e5m2x2 to and from f16x2.
LaneResult pair_to_pair(const Instruction& i, const LaneInputs& in) {
  const int from_bits = bits_of(i.source_type) / 2, to_bits = bits_of(i.type) / 2;
  std::uint64_t value = 0;
  for (int k = 0; k < 2; ++k) {
    const std::uint64_t source = zero_extend(in.a >> (k * from_bits), from_bits);
    value |= convert_float(i, source, format_of(i.source_type), format_of(i.type)) << (k * to_bits);
  }
  return result_of(value);
}

bool is_convertible_integer(Type type) { return is_integer(type) && bits_of(type) >= 8; }

LaneFunction convert_between(const Instruction& i) {
  const Type to = i.type, from = i.source_type;
  if (is_convertible_integer(to) && is_convertible_integer(from)) return integer_to_integer;
  const bool from_float = is_floating(from), to_float = is_floating(to);
  if (to_float && is_convertible_integer(from) && !is_pair(to)) return integer_to_float;
  if (is_convertible_integer(to) && is_floating(from) && !is_pair(from)) return float_to_integer;
  if (!from_float || !to_float) return nullptr;
  const bool to_pair = is_pair(to), from_pair = is_pair(from);
  if (to_pair && from_pair) return pair_to_pair;
  if (to_pair) return source_count(i) >= 2 ? two_to_pair : nullptr;
  return from_pair ? nullptr : float_to_float;
}

// cvt.pack: a and b clamped to the narrow type, a above b; with a third source its low bits fill the rest
// from above.
LaneResult cvt_pack(const Instruction& i, const LaneInputs& in) {
  const int bits = bits_of(i.type);
  const auto part = [&](std::uint64_t source) {
    const Wide value = std::clamp(Wide{sign_extend(source, 32)}, lowest(i.type), highest(i.type));
    return zero_extend(static_cast<std::uint64_t>(value), bits);
  };
  const std::uint64_t rest = source_count(i) >= 3 ? in.c << (2 * bits) : 0;
  return result_of(zero_extend(rest | part(in.a) << bits | part(in.b), 32));
}

LaneResult move(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend(in.a, bits_of(i.type)));
}

const ptx::Operand* packed_source(const Instruction& i) {
  if (i.operands.size() != i.destinations + 1u) return nullptr;
  const ptx::Operand& source = i.operands.back();
  return source.kind == ptx::Operand::Kind::vector ? &source : nullptr;
}
// mov.bN d, {a, b, ...}: the first element is the lowest.
LaneResult pack(const Instruction& i, const LaneInputs& in) {
  const ptx::Operand* source = packed_source(i);
  const int count = static_cast<int>(source->elements.size());
  const int bits = bits_of(i.type) / count;
  const std::uint64_t elements[4] = {in.a, in.b, in.c, in.d};
  std::uint64_t value = 0;
  for (int k = 0; k < count; ++k) value |= zero_extend(elements[k], bits) << (k * bits);
  return result_of(value);
}

LaneFunction move_function(const Instruction& i) {
  if (i.type == Type::none || i.type == Type::b128) return nullptr;
  if (!i.operands.empty() && i.operands.front().kind == ptx::Operand::Kind::vector) return nullptr;  // unpack
  const ptx::Operand* source = packed_source(i);
  if (source == nullptr) return move;
  const auto count = source->elements.size();
  return count == 2 || count == 4 ? pack : nullptr;
}

}  // namespace

LaneFunction convert_function(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::cvt:
      return convert_between(i);
    case Opcode::cvt_pack:
      return is_integer(i.type) && bits_of(i.type) <= 16 && i.source_type == Type::s32 ? cvt_pack : nullptr;
    case Opcode::mov:
      return move_function(i);
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator::detail
