#include "engine/ptx/opcodes.hpp"

#include <cstddef>

namespace warplens::ptx {
namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  std::uint8_t bytes;
  bool is_float;
  bool is_signed;
};

// Indexed by Type. PTX ISA 5.2 "Types".
constexpr TypeRow kTypes[] = {
    {Type::none, "", 0, false, false},        {Type::pred, "pred", 0, false, false},
    {Type::b8, "b8", 1, false, false},        {Type::b16, "b16", 2, false, false},
    {Type::b32, "b32", 4, false, false},      {Type::b64, "b64", 8, false, false},
    {Type::b128, "b128", 16, false, false},   {Type::u8, "u8", 1, false, false},
    {Type::u16, "u16", 2, false, false},      {Type::u32, "u32", 4, false, false},
    {Type::u64, "u64", 8, false, false},      {Type::s8, "s8", 1, false, true},
    {Type::s16, "s16", 2, false, true},       {Type::s32, "s32", 4, false, true},
    {Type::s64, "s64", 8, false, true},       {Type::f16, "f16", 2, true, false},
    {Type::f16x2, "f16x2", 4, true, false},   {Type::bf16, "bf16", 2, true, false},
    {Type::bf16x2, "bf16x2", 4, true, false}, {Type::tf32, "tf32", 4, true, false},
    {Type::f32, "f32", 4, true, false},       {Type::f32x2, "f32x2", 8, true, false},
    {Type::f64, "f64", 8, true, false},       {Type::u16x2, "u16x2", 4, false, false},
    {Type::s16x2, "s16x2", 4, false, true},   {Type::e4m3, "e4m3", 1, true, false},
    {Type::e5m2, "e5m2", 1, true, false},     {Type::s4, "s4", 1, false, false},
    {Type::u4, "u4", 1, false, false},        {Type::b1, "b1", 1, false, false},
};

consteval bool rows_in_order() {
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
  return std::size(kTypes) == static_cast<std::size_t>(Type::b1) + 1;
}
static_assert(rows_in_order(), "one row an enumerator, in the enum's order");

const TypeRow& row(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

int size_in_bytes(Type type) { return row(type).bytes; }
bool is_float(Type type) { return row(type).is_float; }
bool is_signed(Type type) { return row(type).is_signed; }
std::string_view name(Type type) { return row(type).name; }

}  // namespace warplens::ptx
