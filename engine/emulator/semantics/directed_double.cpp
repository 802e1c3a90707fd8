#include "engine/emulator/semantics/directed_double.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace warplens::emulator::detail {
namespace {

using ptx::Opcode, ptx::Rounding;
__extension__ using Wide = unsigned __int128;

constexpr int kMantissaBits = 53, kLeastExponent = -1074, kBias = 1075;
constexpr int kTopBit =
    125;  // of operands of a sum: there is room for its carry above, and for what is lost below

// (negative ? -1 : 1) * magnitude * 2^exponent. Where bits were lost below, the last one is set.
struct Exact {
  bool negative = false;
  Wide magnitude = 0;
  int exponent = 0;
};

int width_of(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(value));
}

Exact exact(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  return {std::signbit(value), field == 0 ? fraction : fraction | std::uint64_t{1} << 52,
          field == 0 ? kLeastExponent : field - kBias};
}

Wide shifted_right(Wide value, int bits) {
  if (bits == 0) return value;
  if (bits > 127) return value != 0 ? 1 : 0;
  const Wide lost = value & ((Wide{1} << bits) - 1);
  return value >> bits | (lost != 0 ? 1 : 0);
}

double rounded(const Exact& e, Rounding rounding) {
  const bool away = rounding == (e.negative ? Rounding::rm : Rounding::rp);
  if (e.magnitude == 0) return e.negative ? -0.0 : 0.0;
  // Bits below the last that a double of this size has.
  const int below = std::max(width_of(e.magnitude) - kMantissaBits, kLeastExponent - e.exponent);
  Wide kept = below > 0 ? (below > 127 ? 0 : e.magnitude >> below) : e.magnitude;
  const bool is_inexact = below > 0 && (below > 127 || (e.magnitude & ((Wide{1} << below) - 1)) != 0);
  if (is_inexact && away) ++kept;
  const double size =
      std::ldexp(static_cast<double>(static_cast<std::uint64_t>(kept)), e.exponent + std::max(below, 0));
  const double finite = std::isinf(size) && !away ? std::numeric_limits<double>::max() : size;
  return e.negative ? -finite : finite;
}

Exact to_top(Exact e) {
  const int room = kTopBit + 1 - width_of(e.magnitude);
  e.magnitude <<= room, e.exponent -= room;
  return e;
}

// A sum of zero is -0 only when rounding down, or where both are (IEEE 754, 6.3).
Exact sum(Exact a, Exact b, Rounding rounding) {
  if (a.magnitude == 0 && b.magnitude == 0)
    return {a.negative == b.negative ? a.negative : rounding == Rounding::rm, 0, 0};
  if (a.magnitude == 0) return b;
  if (b.magnitude == 0) return a;
  a = to_top(a), b = to_top(b);
  if (a.exponent < b.exponent) std::swap(a, b);
  b.magnitude = shifted_right(b.magnitude, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.magnitude + b.magnitude, a.exponent};
  if (a.magnitude == b.magnitude) return {rounding == Rounding::rm, 0, 0};
  const bool is_b_larger = b.magnitude > a.magnitude;
  return {is_b_larger ? b.negative : a.negative,
          is_b_larger ? b.magnitude - a.magnitude : a.magnitude - b.magnitude, a.exponent};
}

Exact product(const Exact& a, const Exact& b) {
  return {a.negative != b.negative, a.magnitude * b.magnitude, a.exponent + b.exponent};
}

// Precondition: b is not zero.
Exact quotient(const Exact& a, const Exact& b) {
  if (a.magnitude == 0) return {a.negative != b.negative, 0, 0};
  const Exact over = to_top(a), under = b;
  const Wide whole = over.magnitude / under.magnitude;
  return {a.negative != b.negative, whole << 1 | (over.magnitude % under.magnitude != 0 ? 1 : 0),
          over.exponent - under.exponent - 1};
}

// Precondition: a is positive.
Exact root(const Exact& a) {
  Exact of = to_top(a);
  if (of.exponent % 2 != 0) of.magnitude >>= 1, ++of.exponent;  // a double's lower bits are zero there
  Wide result = 0;
  for (Wide bit = Wide{1} << 63; bit != 0; bit >>= 1)
    if ((result | bit) * (result | bit) <= of.magnitude) result |= bit;
  return {false, result << 1 | (result * result != of.magnitude ? 1 : 0), of.exponent / 2 - 1};
}

double by_host(Opcode opcode, double a, double b, double c) {
  switch (opcode) {
    case Opcode::add:
      return a + b;
    case Opcode::mul:
      return a * b;
    case Opcode::div:
      return a / b;
    case Opcode::sqrt:
      return std::sqrt(a);
    default:
      return std::fma(a, b, c);
  }
}

}  // namespace

double directed_double(Opcode opcode, double a, double b, double c, Rounding rounding) {
  if (opcode == Opcode::sub) return directed_double(Opcode::add, a, -b, 0, rounding);
  if (opcode == Opcode::rcp) return directed_double(Opcode::div, 1, a, 0, rounding);
  const bool reads_b = opcode != Opcode::sqrt, reads_c = opcode == Opcode::fma || opcode == Opcode::mad;
  const bool is_finite = std::isfinite(a) && (!reads_b || std::isfinite(b)) && (!reads_c || std::isfinite(c));
  // No rounding is in these, whatever the mode: infinities, NaN, a division by zero, a root of -1 or of zero.
  if (!is_finite || (opcode == Opcode::div && b == 0) || (opcode == Opcode::sqrt && !(a > 0)))
    return by_host(opcode, a, b, c);
  const Exact x = exact(a), y = exact(b), z = exact(c);
  switch (opcode) {
    case Opcode::add:
      return rounded(sum(x, y, rounding), rounding);
    case Opcode::mul:
      return rounded(product(x, y), rounding);
    case Opcode::div:
      return rounded(quotient(x, y), rounding);
    case Opcode::sqrt:
      return rounded(root(x), rounding);
    default:
      return rounded(sum(product(x, y), z, rounding), rounding);
  }
}

}  // namespace warplens::emulator::detail
