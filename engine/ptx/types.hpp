// What PTX says of its types, one row a type. PTX ISA 5.2 "Types".
#pragma once

#include <iterator>

#include "engine/ptx/opcodes.hpp"

namespace warplens::ptx {

enum class TypeKind : std::uint8_t { none, bits, unsigned_integer, signed_integer, floating };

struct TypeRow {
  Type type;
  std::string_view name;
  std::uint8_t bits;
  TypeKind kind;
  Type element = type;  // of a pair: the type of one half
};

namespace detail {
using enum TypeKind;
inline constexpr TypeRow kTypes[] = {
    {Type::none, "", 0, none},
    {Type::pred, "pred", 1, none},
    {Type::b8, "b8", 8, bits},
    {Type::b16, "b16", 16, bits},
    {Type::b32, "b32", 32, bits},
    {Type::b64, "b64", 64, bits},
    {Type::b128, "b128", 128, bits},
    {Type::u8, "u8", 8, unsigned_integer},
    {Type::u16, "u16", 16, unsigned_integer},
    {Type::u32, "u32", 32, unsigned_integer},
    {Type::u64, "u64", 64, unsigned_integer},
    {Type::s8, "s8", 8, signed_integer},
    {Type::s16, "s16", 16, signed_integer},
    {Type::s32, "s32", 32, signed_integer},
    {Type::s64, "s64", 64, signed_integer},
    {Type::f16, "f16", 16, floating},
    {Type::f16x2, "f16x2", 32, floating, Type::f16},
    {Type::bf16, "bf16", 16, floating},
    {Type::bf16x2, "bf16x2", 32, floating, Type::bf16},
    {Type::tf32, "tf32", 32, floating},
    {Type::f32, "f32", 32, floating},
    {Type::f32x2, "f32x2", 64, floating, Type::f32},
    {Type::f64, "f64", 64, floating},
    {Type::u16x2, "u16x2", 32, unsigned_integer, Type::u16},
    {Type::s16x2, "s16x2", 32, signed_integer, Type::s16},
    {Type::e4m3, "e4m3", 8, floating},
    {Type::e5m2, "e5m2", 8, floating},
    {Type::s4, "s4", 4, signed_integer},
    {Type::u4, "u4", 4, unsigned_integer},
    {Type::b1, "b1", 1, bits},
    {Type::e4m3x2, "e4m3x2", 16, floating, Type::e4m3},
    {Type::e5m2x2, "e5m2x2", 16, floating, Type::e5m2},
};
consteval bool rows_in_order() {
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
  return std::size(kTypes) == static_cast<std::size_t>(Type::e5m2x2) + 1;
}
static_assert(rows_in_order(), "one row an enumerator, in the enum's order");
}  // namespace detail

constexpr const TypeRow& row_of(Type type) { return detail::kTypes[static_cast<std::size_t>(type)]; }

}  // namespace warplens::ptx
