// Comparison, selection and the sign and class of a float: PTX ISA 9.0, sections 9.7.6 and 9.7.7, 9.7.3.1-2.
#include <iterator>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator::detail {
namespace {

using ptx::BoolOp, ptx::Compare;

// When each comparison holds, in the order of Compare: 1 less, 2 equal, 4 greater, 8 unordered (an operand is
// NaN). The unordered forms (equ, ...) hold for NaN too, the ordered ones do not.
constexpr std::uint8_t kHolds[] = {0, 2, 5, 1, 3, 4, 6, 1, 3, 4, 6, 10, 13, 9, 11, 12, 14, 7, 8};
static_assert(std::size(kHolds) == static_cast<std::size_t>(Compare::nan) + 1);
constexpr int kUnordered = 2;

// order: -1, 0, 1 or kUnordered.
bool holds(Compare compare, int order) {
  return (kHolds[static_cast<std::size_t>(compare)] >> (order + 1) & 1) != 0;
}

bool compare_floats(const Instruction& i, std::uint64_t a, std::uint64_t b, const FloatFormat& format) {
  a = flush(a, format, i.ftz);
  b = flush(b, format, i.ftz);
  if (format.is_nan(a) || format.is_nan(b)) return holds(i.compare, kUnordered);
  const auto key = [&](std::uint64_t bits) {  // both zeros are 0
    const auto magnitude = static_cast<std::int64_t>(format.magnitude(bits));
    return format.is_negative(bits) ? -magnitude : magnitude;
  };
  return holds(i.compare, key(a) < key(b) ? -1 : key(a) > key(b));
}

bool compare(const Instruction& i, Type type, std::uint64_t a, std::uint64_t b) {
  const int bits = bits_of(type);
  if (is_floating(type))
    return compare_floats(i, zero_extend(a, bits), zero_extend(b, bits), format_of(type));
  const Wide x = integer_value(a, type), y = integer_value(b, type);
  return holds(i.compare, x < y ? -1 : x > y);
}

bool combine(BoolOp op, bool t, bool c) {
  const bool results[] = {t, t && c, t || c, t != c};  // none, and, or, xor
  return results[static_cast<std::size_t>(op)];
}

// p = (a ? b) op c, q = !(a ? b) op c
LaneResult setp(const Instruction& i, const LaneInputs& in) {
  const bool t = compare(i, i.type, in.a, in.b), c = (in.c & 1) != 0;
  return {combine(i.bool_op, t, c) ? 1u : 0u, combine(i.bool_op, !t, c) ? 1u : 0u, false};
}
// f16x2: p is the result of the low halves, q of the high halves.
LaneResult setp_pair(const Instruction& i, const LaneInputs& in) {
  const Type type = element_of(i.type);
  const bool c = (in.c & 1) != 0;
  const bool low = combine(i.bool_op, compare(i, type, in.a, in.b), c);
  const bool high = combine(i.bool_op, compare(i, type, in.a >> 16, in.b >> 16), c);
  return {low ? 1u : 0u, high ? 1u : 0u, false};
}

// True is all ones for an integer destination, 1.0 for a floating one.
std::uint64_t truth(bool value, Type type, int bits) {
  if (!value) return 0;
  return is_floating(type) ? format_of(type).one() : low_mask(bits);
}
LaneResult set(const Instruction& i, const LaneInputs& in) {
  const bool t = combine(i.bool_op, compare(i, i.source_type, in.a, in.b), (in.c & 1) != 0);
  return result_of(truth(t, i.type, bits_of(i.type)));
}
// Source f16x2 or bf16x2: each half of d is the result of its halves.
LaneResult set_pair(const Instruction& i, const LaneInputs& in) {
  const Type type = element_of(i.source_type);
  const bool c = (in.c & 1) != 0;
  const bool low = combine(i.bool_op, compare(i, type, in.a, in.b), c);
  const bool high = combine(i.bool_op, compare(i, type, in.a >> 16, in.b >> 16), c);
  return result_of(truth(low, i.type, 16) | truth(high, i.type, 16) << 16);
}

LaneResult selp(const Instruction& i, const LaneInputs& in) {
  return result_of(zero_extend((in.c & 1) != 0 ? in.a : in.b, bits_of(i.type)));
}

// c >= 0 ? a : b. -0 counts as zero, NaN selects b.
LaneResult slct(const Instruction& i, const LaneInputs& in) {
  const std::uint64_t c = zero_extend(in.c, 32);
  bool first = sign_extend(c, 32) >= 0;
  if (i.source_type == Type::f32) {
    const std::uint64_t flushed = flush(c, kF32, i.ftz);
    first = !kF32.is_nan(flushed) && (!kF32.is_negative(flushed) || kF32.magnitude(flushed) == 0);
  }
  return result_of(zero_extend(first ? in.a : in.b, bits_of(i.type)));
}

LaneResult testp(const Instruction& i, const LaneInputs& in) {
  const FloatFormat& format = format_of(i.type);
  const std::uint64_t a = zero_extend(in.a, bits_of(i.type));
  const bool nan = format.is_nan(a), infinite = format.is_infinite(a), subnormal = format.is_subnormal(a);
  // In the order of TestProperty. Zeros are normal.
  const bool results[] = {false,    !nan && !infinite, infinite, !nan, nan, !nan && !infinite && !subnormal,
                          subnormal};
  return result_of(results[static_cast<std::size_t>(i.test)] ? 1 : 0);
}

// The magnitude of b with the sign of a.
LaneResult copysign(const Instruction& i, const LaneInputs& in) {
  const FloatFormat& format = format_of(i.type);
  return result_of((in.a & format.sign_bit()) | format.magnitude(zero_extend(in.b, bits_of(i.type))));
}

bool is_comparable(Type type) {
  const bool integer = is_integer(type) && bits_of(type) >= 16;
  return integer || type == Type::b16 || type == Type::b32 || type == Type::b64 ||
         (is_floating(type) && type != Type::tf32 && type != Type::f32x2);
}
bool is_selectable(Type type) { return is_comparable(type) && !is_pair(type); }
bool has_class(Type type) { return type == Type::f32 || type == Type::f64; }

}  // namespace

LaneFunction compare_function(const Instruction& i) {
  const bool pair = is_pair(i.type);
  switch (i.opcode) {
    case Opcode::setp:
      if (!is_comparable(i.type) || i.compare == Compare::none) return nullptr;
      return pair ? setp_pair : setp;
    case Opcode::set:
      if (!is_comparable(i.source_type) || i.compare == Compare::none) return nullptr;
      return is_pair(i.source_type) ? set_pair : set;
    case Opcode::selp:
      return is_selectable(i.type) || pair ? selp : nullptr;
    case Opcode::slct:
      return is_selectable(i.type) && (i.source_type == Type::s32 || i.source_type == Type::f32) ? slct
                                                                                                 : nullptr;
    case Opcode::testp:
      return has_class(i.type) && i.test != ptx::TestProperty::none ? testp : nullptr;
    case Opcode::copysign:
      return has_class(i.type) ? copysign : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator::detail
