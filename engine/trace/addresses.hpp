// Addresses of a column are kept relative to the start of their space, so that they fit 32 bits.
#pragma once

#include <cstdint>

#include "engine/emulator/memory.hpp"
#include "engine/ptx/opcodes.hpp"

namespace warplens::trace {

inline std::uint64_t origin_of(ptx::Space space) {
  return space == ptx::Space::shared || space == ptx::Space::local ? 0 : emulator::kGlobalBase;
}

}  // namespace warplens::trace
