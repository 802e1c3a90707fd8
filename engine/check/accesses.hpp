// What an instruction that accesses memory says of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/emulator/memory.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::check {

// The memory that an address of a space is in; a generic one says it itself.
inline ptx::Space space_at(ptx::Space space, std::uint64_t address) {
  if (space != ptx::Space::generic) return space;
  const std::uint64_t window = address >> 32 << 32;
  return window == emulator::kSharedWindow  ? ptx::Space::shared
         : window == emulator::kLocalWindow ? ptx::Space::local
                                            : ptx::Space::global;
}

// The generic address of a word, of shared memory with the block's window.
inline std::uint64_t word_of(const emulator::WatchedStep& step, std::uint64_t address) {
  return space_at(step.instruction->space, address) == ptx::Space::shared
             ? emulator::kSharedWindow | (address & emulator::kOwnOffset)
             : address;
}

// Whether it may take a lock, or give it back.
inline bool may_be_lock(const ptx::Instruction& i) {
  return i.atomic == ptx::AtomicOp::cas || i.atomic == ptx::AtomicOp::exch;
}

// Bytes of one lane.
inline std::uint32_t width_of(const ptx::Instruction& i) {
  return static_cast<std::uint32_t>(ptx::size_in_bytes(i.type)) * std::max<std::uint32_t>(i.vector, 1);
}

}  // namespace warplens::check
