// What a bulk store does that adds to what is there instead (cp.reduce.async.bulk).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/ptx/program.hpp"
#include "engine/tensor/tensor_map.hpp"

namespace warplens::emulator {

ptx::Type element_type(tensor::MapType type);
// Whether elements of a type are reduced by an operation.
bool reduces(ptx::AtomicOp operation, ptx::Type type);
// Element by element; bytes: a multiple of an element's. Precondition: reduces().
void reduce_bytes(ptx::AtomicOp operation, ptx::Type type, const std::byte* source, std::uint32_t bytes,
                  std::byte* target);

}  // namespace warplens::emulator
