#include "engine/emulator/execution/bulk_reduction.hpp"

#include <array>
#include <cstring>

#include "engine/emulator/execution/operands.hpp"

namespace warplens::emulator {

using ptx::AtomicOp, ptx::Type;

namespace {

// By the numbers of tensor::MapType.
constexpr std::array kElementTypes{Type::u8,  Type::u16, Type::u32, Type::s32, Type::u64,
                                   Type::s64, Type::f16, Type::f32, Type::f64, Type::bf16};

}  // namespace

ptx::Type element_type(tensor::MapType type) { return kElementTypes[static_cast<std::size_t>(type)]; }

bool reduces(AtomicOp operation, Type type) {
  if (ptx::size_in_bytes(type) < 2) return false;
  const bool minimum = operation == AtomicOp::min || operation == AtomicOp::max;
  if (ptx::is_float(type)) return operation == AtomicOp::add || minimum;
  return operation != AtomicOp::none && operation != AtomicOp::exch && operation != AtomicOp::cas;
}

void reduce_bytes(AtomicOp operation, Type type, const std::byte* source, std::uint32_t bytes,
                  std::byte* target) {
  ptx::Instruction update;
  update.atomic = operation, update.type = type;
  const auto size = static_cast<std::uint32_t>(ptx::size_in_bytes(type));
  for (std::uint32_t at = 0; at + size <= bytes; at += size) {
    std::uint64_t given = 0;
    std::memcpy(&given, source + at, size);
    update_element(target + at, update, given);
  }
}

}  // namespace warplens::emulator
