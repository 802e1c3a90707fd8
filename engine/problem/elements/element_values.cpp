#include "engine/problem/elements/element_values.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace warplens::problem {
namespace {

// IEEE 754 binary16.
struct Half {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};

double to_double(Half half) {
  const int exponent = half.bits >> 10 & 31, fraction = half.bits & 1023;
  const double sign = (half.bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}
double to_double(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
template <class T>
double to_double(T value) {
  return static_cast<double>(value);
}

// The nearest number with so many bits of fraction and this least exponent; ties to even.
double rounded(double value, int bits, int least_exponent) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), least_exponent);
  return std::ldexp(std::nearbyint(std::ldexp(value, bits - exponent)), exponent - bits);
}

Half half_of(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return {0x7e00};
  const double size = std::abs(rounded(value, 10, -14));
  if (size >= 65536) return {static_cast<std::uint16_t>(sign | 0x7c00)};
  if (size < 0x1p-14) return {static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(size, 24)))};
  const int exponent = std::ilogb(size);
  const int fraction = static_cast<int>(std::ldexp(size, 10 - exponent)) - 1024;
  return {static_cast<std::uint16_t>(sign | (exponent + 15) << 10 | fraction)};
}
Bfloat16 bfloat16_of(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(rounded(value, 7, -126)));
  return {static_cast<std::uint16_t>(std::isnan(value) ? 0x7fc0 : bits >> 16)};
}

template <class T>
T from_double(double value) {
  if constexpr (std::is_same_v<T, Half>)
    return half_of(value);
  else if constexpr (std::is_same_v<T, Bfloat16>)
    return bfloat16_of(value);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else if (std::abs(value) < 0x1p63)
    return static_cast<T>(static_cast<std::int64_t>(value));
  else if (value >= 0 && value < 0x1p64)
    return static_cast<T>(static_cast<std::uint64_t>(value));
  else
    return 0;
}

// act(T()) with the type of an element.
template <class Act>
auto with_type(ElementType type, const Act& act) {
  switch (type) {
    case ElementType::f32:
      return act(float());
    case ElementType::f64:
      return act(double());
    case ElementType::f16:
      return act(Half());
    case ElementType::bf16:
      return act(Bfloat16());
    case ElementType::i8:
      return act(std::int8_t());
    case ElementType::u8:
      return act(std::uint8_t());
    case ElementType::i16:
      return act(std::int16_t());
    case ElementType::u16:
      return act(std::uint16_t());
    case ElementType::u32:
      return act(std::uint32_t());
    case ElementType::i64:
      return act(std::int64_t());
    case ElementType::u64:
      return act(std::uint64_t());
    default:
      return act(std::int32_t());
  }
}

struct TypeRow {
  ElementType type;
  std::string_view base, name;
  double roundoff, least;
};
constexpr std::array<TypeRow, 12> kTypes{{{ElementType::f32, "float", "float", 0x1p-24, 0x1p-149},
                                          {ElementType::f64, "double", "double", 0x1p-53, 0x1p-1074},
                                          {ElementType::f16, "half", "__half", 0x1p-11, 0x1p-24},
                                          {ElementType::bf16, "bfloat16", "__nv_bfloat16", 0x1p-8, 0x1p-133},
                                          {ElementType::i8, "int8", "std::int8_t", 0, 0},
                                          {ElementType::u8, "uint8", "std::uint8_t", 0, 0},
                                          {ElementType::i16, "int16", "std::int16_t", 0, 0},
                                          {ElementType::u16, "uint16", "std::uint16_t", 0, 0},
                                          {ElementType::i32, "int32", "int", 0, 0},
                                          {ElementType::u32, "uint32", "unsigned", 0, 0},
                                          {ElementType::i64, "int64", "std::int64_t", 0, 0},
                                          {ElementType::u64, "uint64", "std::uint64_t", 0, 0}}};

const TypeRow& row_of(ElementType type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row;
  return kTypes.front();
}

}  // namespace

ElementType element_type(std::string_view base) {
  for (const TypeRow& row : kTypes)
    if (row.base == base) return row.type;
  return ElementType::f32;
}
std::string_view name_of(ElementType type) { return row_of(type).name; }
bool is_integer(ElementType type) { return row_of(type).roundoff == 0; }
double unit_roundoff(ElementType type) { return row_of(type).roundoff; }
double least_difference(ElementType type) { return row_of(type).least; }

double read_element(ElementType type, const std::byte* bytes, std::int64_t index) {
  double value = 0;
  read_elements(type, bytes, index, 0, 1, &value);
  return value;
}

void read_elements(ElementType type, const std::byte* bytes, std::int64_t first, std::int64_t step, int count,
                   double* out) {
  with_type(type, [&](auto value) {
    constexpr std::int64_t kSize = sizeof value;
    const std::byte* from = bytes + first * kSize;
    for (int i = 0; i < count; ++i, from += step * kSize) {
      std::memcpy(&value, from, sizeof value);
      out[i] = to_double(value);
    }
  });
}

void write_element(ElementType type, std::byte* bytes, std::int64_t index, double value) {
  with_type(type, [&](auto element) {
    element = from_double<decltype(element)>(value);
    std::memcpy(bytes + index * static_cast<std::int64_t>(sizeof element), &element, sizeof element);
  });
}

double as_written(ElementType type, double value) {
  return with_type(type, [&](auto element) { return to_double(from_double<decltype(element)>(value)); });
}

ScalarArgument argument_of(ElementType type, double value) {
  ScalarArgument argument{0, static_cast<std::uint32_t>(size_in_bytes(type))};
  std::array<std::byte, 8> bytes{};
  write_element(type, bytes.data(), 0, value);
  std::memcpy(&argument.bits, bytes.data(), sizeof argument.bits);
  return argument;
}

}  // namespace warplens::problem
