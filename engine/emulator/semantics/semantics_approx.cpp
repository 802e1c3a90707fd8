// Approximate instructions (.approx, .full): PTX ISA 9.0, sections 9.7.3 and 9.7.4. The hardware interpolates
// in tables that NVIDIA does not publish; here the function is computed in double and rounded once. A result
// therefore lies within the error the ISA states but need not equal the hardware's last bit. The special
// values of the ISA's tables (zeros, infinities, NaN, flushed subnormals) are exact.
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator::detail {
namespace {

double evaluate(Opcode opcode, double x) {
  switch (opcode) {
    case Opcode::rcp:
      return 1 / x;
    case Opcode::sqrt:
      return std::sqrt(x);
    case Opcode::rsqrt:
      return 1 / std::sqrt(x);  // -0 gives -infinity
    case Opcode::lg2:
      return std::log2(x);
    case Opcode::ex2:
      return std::exp2(x);
    default:
      return std::tanh(x);
  }
}

// sin and cos turn their argument into revolutions with one truncating f32 multiplication (FMUL.RZ before
// MUFU.SIN) and keep 25 bits behind the point, so the error is absolute (the ISA bounds it within +-pi only),
// a tiny argument gives 0, and of a large one only that product's rounding is left.
double reduced_angle(double x) {
  const double turns = to_double(from_double(x * 0x1.45f306p-3, kF32, Rounding::rz), kF32);
  return std::trunc((turns - std::trunc(turns)) * 0x1p25) * 0x1p-25 * 2 * std::numbers::pi;
}

double wave(Opcode opcode, double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  const double angle = reduced_angle(x);
  const double value = opcode == Opcode::sin ? std::sin(angle) : std::cos(angle);
  if (std::fabs(value) > 0x1p-40) return value;
  return opcode == Opcode::sin ? std::copysign(0.0, x) : -0.0;  // exact quarters of a revolution
}

std::uint64_t element(const Instruction& i, std::uint64_t a, const FloatFormat& format) {
  const double x = to_double(flush(a, format, i.ftz), format);
  const bool is_wave = i.opcode == Opcode::sin || i.opcode == Opcode::cos;
  const double value = is_wave ? wave(i.opcode, x) : evaluate(i.opcode, x);
  return flush(from_double(value, format), format, i.ftz);
}
LaneResult function(const Instruction& i, const LaneInputs& in) {
  return for_elements(
      i, in, [&](std::uint64_t a, std::uint64_t, std::uint64_t) { return element(i, a, format_of(i.type)); });
}

// div.approx is a * rcp(b): for |b| above 2^126 the reciprocal is a subnormal that the unit flushes, so the
// quotient is 0, or NaN for an infinite a (9.7.3.8). div.full scales its operands and has no such gap.
LaneResult divide(const Instruction& i, const LaneInputs& in) {
  const double a = to_double(flush(zero_extend(in.a, 32), kF32, i.ftz), kF32);
  const double b = to_double(flush(zero_extend(in.b, 32), kF32, i.ftz), kF32);
  double quotient = a / b;
  if (i.approximate && std::isfinite(b) && std::fabs(b) > 0x1p126) {
    const double reciprocal = std::copysign(0.0, b);
    quotient = a * reciprocal;
  }
  return result_of(flush(from_double(quotient, kF32), kF32, i.ftz));
}

// rcp.approx.ftz.f64 and rsqrt.approx{.ftz}.f64: "gross" approximations. The .ftz forms give the upper 32
// bits and zeros below; subnormals are flushed there.
LaneResult double_function(const Instruction& i, const LaneInputs& in) {
  const double x = std::bit_cast<double>(flush(i.ftz ? in.a & ~0xffffffffull : in.a, kF64, i.ftz));
  const double value = evaluate(i.opcode, x);
  if (std::isnan(value) && i.ftz) return result_of(0x7fffffff00000000);
  if (std::isnan(value)) return result_of(std::isnan(x) ? quieted(in.a) : kF64.canonical_nan);
  const std::uint64_t bits = flush(std::bit_cast<std::uint64_t>(value), kF64, i.ftz);
  return result_of(i.ftz ? bits & ~0xffffffffull : bits);
}

bool is_half(Type type) { return element_of(type) == Type::f16 || element_of(type) == Type::bf16; }

}  // namespace

LaneFunction approximate_function(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::div:
      return (i.approximate || i.full_range) && i.type == Type::f32 ? divide : nullptr;
    case Opcode::rcp:
    case Opcode::rsqrt:
      if (i.type == Type::f64) return i.approximate ? double_function : nullptr;
      return i.approximate && i.type == Type::f32 ? function : nullptr;
    case Opcode::sqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
      return i.approximate && i.type == Type::f32 ? function : nullptr;
    case Opcode::ex2:
    case Opcode::tanh:
      return is_half(i.type) || i.type == Type::f32 ? function : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warplens::emulator::detail
