// IEEE floating-point arithmetic: PTX ISA 9.0, sections 9.7.3 (f32, f64), 9.7.4 (f16, bf16) and 9.7.5
// (mixed). Formats up to f32 are computed in double with the error term known exactly, then rounded once by
// integers, so no host rounding mode is touched; f64 in a directed mode is computed by integers too.
#include <bit>
#include <cmath>

#include "engine/emulator/semantics/directed_double.hpp"
#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator::detail {
namespace {

// ---- Formats up to f32 ----

// x + y rounded once. x and y need not be in the format, but have to be sums or products of its values.
std::uint64_t rounded_sum(double x, double y, const FloatFormat& format, Rounding rounding) {
  const double sum = x + y;
  if (!std::isfinite(sum)) return from_double(sum, format, rounding);
  if (sum == 0) {  // exact; x + -x is -0 only when rounding down (IEEE 754, 6.3)
    const bool both_positive = !std::signbit(x) && !std::signbit(y) && x == 0;
    const bool negative = rounding == Rounding::rm ? !both_positive : std::signbit(sum);
    return negative ? format.sign_bit() : 0;
  }
  const double back = sum - x;  // Knuth's TwoSum: sum + error is x + y exactly
  const double error = (x - (sum - back)) + (y - back);
  return from_head_and_tail(sum, error, format, rounding);
}

std::uint64_t rounded_quotient(double x, double y, const FloatFormat& format, Rounding rounding) {
  const double quotient = x / y;
  if (!std::isfinite(quotient) || quotient == 0) return from_double(quotient, format, rounding);
  const double remainder = std::fma(-quotient, y, x);  // exact: 53 + 24 bits, far from underflow
  return from_head_and_tail(quotient, std::signbit(y) ? -remainder : remainder, format, rounding);
}

std::uint64_t rounded_root(double x, const FloatFormat& format, Rounding rounding) {
  const double root = std::sqrt(x);
  if (!std::isfinite(root) || root == 0) return from_double(root, format, rounding);
  return from_head_and_tail(root, std::fma(-root, root, x), format, rounding);
}

// .ftz, .sat and .relu on a rounded result. Saturation turns NaN and -0 into +0; relu keeps NaN.
std::uint64_t finish(const Instruction& i, std::uint64_t bits, const FloatFormat& format) {
  bits = flush(bits, format, i.ftz);
  if (i.saturate) {
    if (format.is_nan(bits) || format.is_negative(bits)) return 0;
    return bits > format.one() ? format.one() : bits;
  }
  return i.relu && format.is_negative(bits) && !format.is_nan(bits) ? 0 : bits;
}

std::uint64_t operate(Opcode opcode, double a, double b, double c, const FloatFormat& format,
                      Rounding rounding) {
  switch (opcode) {
    case Opcode::add:
      return rounded_sum(a, b, format, rounding);
    case Opcode::sub:
      return rounded_sum(a, -b, format, rounding);
    case Opcode::mul:
      return from_double(a * b, format, rounding);  // exact in double
    case Opcode::mad:
    case Opcode::fma:
      return rounded_sum(a * b, c, format, rounding);
    case Opcode::div:
      return rounded_quotient(a, b, format, rounding);
    case Opcode::rcp:
      return rounded_quotient(1, a, format, rounding);
    default:
      return rounded_root(a, format, rounding);  // sqrt
  }
}

std::uint64_t narrow_element(const Instruction& i, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                             const FloatFormat& format) {
  const auto input = [&](std::uint64_t bits) { return to_double(flush(bits, format, i.ftz), format); };
  const double x = input(a), y = input(b), z = input(c);
  std::uint64_t bits = operate(i.opcode, x, y, z, format, i.rounding);
  // .ftz goes by the value rounded as if the exponent had no end (IEEE 754's "after rounding"; seen on an
  // H100): what only the coarser grid of subnormals lifts to the smallest normal is flushed.
  if (i.ftz && format.magnitude(bits) == format.smallest_normal()) {
    FloatFormat wider = format;
    wider.exponent_bits += 1;
    const double unbounded = to_double(operate(i.opcode, x, y, z, wider, i.rounding), wider);
    if (std::fabs(unbounded) < to_double(format.smallest_normal(), format)) bits &= format.sign_bit();
  }
  return finish(i, bits, format);
}
LaneResult narrow(const Instruction& i, const LaneInputs& in) {
  const FloatFormat& format = format_of(i.type);
  return for_elements(i, in, [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return narrow_element(i, a, b, c, format);
  });
}
// add, sub, fma .f32.f16 and .f32.bf16: the products' factors (or a) are narrow, the last operand and d are
// f32.
LaneResult mixed(const Instruction& i, const LaneInputs& in) {
  const FloatFormat& source = format_of(i.source_type);
  const auto narrow_input = [&](std::uint64_t bits) { return to_double(zero_extend(bits, 16), source); };
  const bool fused = i.opcode == Opcode::fma;
  const double b = fused ? narrow_input(in.b) : to_double(zero_extend(in.b, 32), kF32);
  const double c = to_double(zero_extend(in.c, 32), kF32);
  return result_of(finish(i, operate(i.opcode, narrow_input(in.a), b, c, kF32, i.rounding), kF32));
}

// ---- f64 ----

bool is_directed(Rounding rounding) {
  return rounding == Rounding::rz || rounding == Rounding::rm || rounding == Rounding::rp;
}

double operate_double(const Instruction& i, double a, double b, double c) {
  if (is_directed(i.rounding)) return directed_double(i.opcode, a, b, c, i.rounding);
  return i.opcode == Opcode::add    ? a + b
         : i.opcode == Opcode::sub  ? a - b
         : i.opcode == Opcode::mul  ? a * b
         : i.opcode == Opcode::div  ? a / b
         : i.opcode == Opcode::rcp  ? 1.0 / a
         : i.opcode == Opcode::sqrt ? std::sqrt(a)
                                    : fused(a, b, c);  // fma, mad
}

// Double precision keeps NaN payloads (9.7.3). Which of several NaN operands survives, quieted, is not
// documented; an H100 prefers b, then c, then a, and a in a division. A new NaN is 0xfff8000000000000.
std::uint64_t double_nan(Opcode opcode, const LaneInputs& in, int operands) {
  if (opcode == Opcode::div && kF64.is_nan(in.a)) return quieted(in.a);
  if (operands > 1 && kF64.is_nan(in.b)) return quieted(in.b);
  if (operands > 2 && kF64.is_nan(in.c)) return quieted(in.c);
  return kF64.is_nan(in.a) ? quieted(in.a) : kF64.canonical_nan;
}
int operand_count(Opcode opcode) {
  if (opcode == Opcode::fma || opcode == Opcode::mad) return 3;
  return opcode == Opcode::rcp || opcode == Opcode::sqrt ? 1 : 2;
}
LaneResult wide(const Instruction& i, const LaneInputs& in) {
  const double value = operate_double(i, std::bit_cast<double>(in.a), std::bit_cast<double>(in.b),
                                      std::bit_cast<double>(in.c));
  if (std::isnan(value)) return result_of(double_nan(i.opcode, in, operand_count(i.opcode)));
  return result_of(std::bit_cast<std::uint64_t>(value));
}

// ---- Sign and order ----

// A NaN passes as through an addition: canonical, or quieted with its sign in f64 (as measured; the ISA
// leaves it open).
std::uint64_t sign_element(const Instruction& i, std::uint64_t a, const FloatFormat& format) {
  if (format.is_nan(a)) return format.mantissa_bits == 52 ? quieted(a) : format.canonical_nan;
  const std::uint64_t flushed = flush(a, format, i.ftz);
  return i.opcode == Opcode::abs ? format.magnitude(flushed) : flushed ^ format.sign_bit();
}
LaneResult sign(const Instruction& i, const LaneInputs& in) {
  return for_elements(i, in, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return sign_element(i, a, format_of(i.type));
  });
}

// An order in which -0 < +0, as min and max have it.
std::int64_t order_key(std::uint64_t bits, const FloatFormat& format) {
  const auto magnitude = static_cast<std::int64_t>(format.magnitude(bits));
  return format.is_negative(bits) ? -magnitude - 1 : magnitude;
}
// One NaN operand gives the other operand, or NaN under .NaN (9.7.3.11). Both NaN give the canonical NaN; in
// f64 b's.
std::uint64_t extreme(const Instruction& i, std::uint64_t a, std::uint64_t b, const FloatFormat& format) {
  a = flush(a, format, i.ftz);
  b = flush(b, format, i.ftz);
  const bool a_nan = format.is_nan(a), b_nan = format.is_nan(b);
  const std::uint64_t sign = (a ^ b) & format.sign_bit();
  if (a_nan && b_nan && format.mantissa_bits == 52) return quieted(b);
  if ((a_nan && b_nan) || (i.nan && (a_nan || b_nan))) return format.canonical_nan;
  if (i.xor_sign_abs) {
    a = format.magnitude(a);
    b = format.magnitude(b);
  }
  const bool a_first = order_key(a, format) < order_key(b, format);
  std::uint64_t best = a_nan ? b : b_nan ? a : (a_first == (i.opcode == Opcode::min) ? a : b);
  if (i.xor_sign_abs) best = format.magnitude(best) | sign;
  return best;
}
std::uint64_t extreme_element(const Instruction& i, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                              const FloatFormat& format) {
  std::uint64_t best = extreme(i, a, b, format);
  if (source_count(i) == 3) best = extreme(i, best, c, format);
  return i.relu ? finish(i, best, format) : best;
}
LaneResult min_max(const Instruction& i, const LaneInputs& in) {
  return for_elements(i, in, [&](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return extreme_element(i, a, b, c, format_of(i.type));
  });
}

bool is_half(Type type) { return type == Type::f16 || type == Type::bf16; }

LaneFunction arithmetic(const Instruction& i) {
  if (i.type == Type::f64) return wide;
  if (i.type == Type::f32 && is_half(i.source_type)) return mixed;
  return narrow;
}

}  // namespace

LaneFunction float_function(const Instruction& i) {
  if (!is_floating(i.type) || i.type == Type::tf32) return nullptr;
  const bool single_or_double = i.type == Type::f32 || i.type == Type::f64;
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::fma:
      return arithmetic(i);
    case Opcode::mad:
      return single_or_double ? arithmetic(i) : nullptr;
    case Opcode::div:
    case Opcode::rcp:
    case Opcode::sqrt:
      if (i.approximate || i.full_range) return nullptr;
      return single_or_double ? arithmetic(i) : nullptr;
    case Opcode::abs:
    case Opcode::neg:
      return sign;
    case Opcode::min:
    case Opcode::max:
      return i.type == Type::f32x2 ? nullptr : min_max;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator::detail
