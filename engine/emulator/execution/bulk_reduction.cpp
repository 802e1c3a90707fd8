#include "engine/emulator/execution/bulk_reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator {

using ptx::AtomicOp, ptx::Type;

namespace {

// By the numbers of tensor::MapType.
constexpr std::array kElementTypes{Type::u8,  Type::u16, Type::u32, Type::s32, Type::u64,
                                   Type::s64, Type::f16, Type::f32, Type::f64, Type::bf16};

double reduced(AtomicOp operation, double old, double given) {
  if (operation == AtomicOp::min) return std::fmin(old, given);
  if (operation == AtomicOp::max) return std::fmax(old, given);
  return old + given;  // exact enough: rounded once to the type
}

std::uint64_t reduced_bits(AtomicOp operation, Type type, std::uint64_t old, std::uint64_t given) {
  const detail::Wide a = detail::integer_value(old, type), b = detail::integer_value(given, type);
  switch (operation) {
    case AtomicOp::min:
      return static_cast<std::uint64_t>(std::min(a, b));
    case AtomicOp::max:
      return static_cast<std::uint64_t>(std::max(a, b));
    case AtomicOp::inc:
      return a >= b ? 0 : old + 1;
    case AtomicOp::dec:
      return a == 0 || a > b ? given : old - 1;
    case AtomicOp::and_:
      return old & given;
    case AtomicOp::or_:
      return old | given;
    case AtomicOp::xor_:
      return old ^ given;
    default:
      return old + given;
  }
}

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
  const auto size = static_cast<std::uint32_t>(ptx::size_in_bytes(type));
  for (std::uint32_t at = 0; at + size <= bytes; at += size) {
    std::uint64_t old = 0, given = 0;
    std::memcpy(&old, target + at, size);
    std::memcpy(&given, source + at, size);
    std::uint64_t result = 0;
    if (ptx::is_float(type)) {
      const FloatFormat& format = detail::format_of(type);
      result = from_double(reduced(operation, to_double(old, format), to_double(given, format)), format);
    } else {
      result = reduced_bits(operation, type, old, given);
    }
    std::memcpy(target + at, &result, size);
  }
}

}  // namespace warplens::emulator
