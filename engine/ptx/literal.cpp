#include "engine/ptx/literal.hpp"

#include <bit>
#include <charconv>
#include <cmath>

namespace warplens::ptx {
namespace {

bool parse_digits(std::string_view text, int base, std::uint64_t& value) {
  if (!text.empty() && text.back() == 'U') text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_decimal(std::string_view text, bool negative, Literal& literal) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  literal = {Literal::Kind::real, std::bit_cast<std::uint64_t>(negative ? -value : value)};
  return error == std::errc{} && end == text.data() + text.size();
}

double value_of(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::integer:
      return static_cast<double>(static_cast<std::int64_t>(literal.bits));
    case Literal::Kind::single_bits:
      return std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits));
    case Literal::Kind::real:
      break;
  }
  return std::bit_cast<double>(literal.bits);
}

// A double rounded once, to nearest even, to a 16-bit float of that many fraction bits.
std::uint64_t to_half(double value, int fraction_bits) {
  const int bias = (1 << (14 - fraction_bits)) - 1;
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const std::uint64_t infinity = std::uint64_t(2 * bias + 1) << fraction_bits;
  if (std::isnan(value)) return 0x7FFF;
  value = std::fabs(value);
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | infinity;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  if (exponent > bias) return sign | infinity;
  // Below the normal range the implicit bit is missing, and the sum still carries into the exponent as it
  // should.
  const auto fraction =
      static_cast<std::uint64_t>(std::nearbyint(std::ldexp(value, fraction_bits - exponent)));
  return sign | ((std::uint64_t(exponent + bias - 1) << fraction_bits) + fraction);
}

std::uint64_t float_bits(const Literal& literal, Type type, int bytes) {
  if (bytes == 2) return to_half(value_of(literal), type == Type::bf16 ? 7 : 10);
  if (bytes != 4) return std::bit_cast<std::uint64_t>(value_of(literal));
  if (literal.kind == Literal::Kind::single_bits) return literal.bits;  // keeps a NaN's payload
  return std::bit_cast<std::uint32_t>(static_cast<float>(value_of(literal)));
}

std::uint64_t integer_bits(std::uint64_t value, Type type, int bytes) {
  if (bytes == 0 || bytes >= 8) return value;
  const int unused = 64 - 8 * bytes;
  if (is_signed(type) && type != Type::s16x2)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  return value << unused >> unused;
}

}  // namespace

bool parse_literal(std::string_view text, bool negative, Literal& literal) {
  if (text.empty()) return false;
  const char kind = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  std::uint64_t value = 0;
  if (kind == 'f' || kind == 'F' || kind == 'd' || kind == 'D') {
    const bool single = kind == 'f' || kind == 'F';
    if (text.size() != (single ? 10u : 18u) || text.back() == 'U' || !parse_digits(text.substr(2), 16, value))
      return false;
    if (negative) value ^= std::uint64_t{1} << (single ? 31 : 63);
    literal = {single ? Literal::Kind::single_bits : Literal::Kind::real, value};
    return true;
  }
  const bool hexadecimal = kind == 'x' || kind == 'X';
  if (!hexadecimal && text.find_first_of(".eE") != std::string_view::npos)
    return parse_decimal(text, negative, literal);
  bool good = false;
  if (hexadecimal)
    good = parse_digits(text.substr(2), 16, value);
  else if (kind == 'b' || kind == 'B')
    good = parse_digits(text.substr(2), 2, value);
  else
    good = parse_digits(text, kind >= '0' && kind <= '9' ? 8 : 10, value);
  literal = {Literal::Kind::integer, negative ? 0 - value : value};
  return good;
}

std::uint64_t to_bits(const Literal& literal, Type type) {
  const bool integer = literal.kind == Literal::Kind::integer;
  if (type == Type::pred) return literal.bits != 0;
  const int bytes = size_in_bytes(type);
  const bool plain_float = type == Type::f32 || type == Type::f64 || type == Type::tf32;
  if (integer && !plain_float) return integer_bits(literal.bits, type, bytes);
  return float_bits(literal, type, bytes);
}

}  // namespace warplens::ptx
