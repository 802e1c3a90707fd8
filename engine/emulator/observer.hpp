// What the emulator tells its observers. An observer cannot change a run: it gets const values only.
#pragma once

#include <cstdint>

#include "engine/ptx/opcodes.hpp"

namespace warplens::emulator {

enum class AccessKind : std::uint8_t { load, store, atomic, async_copy };

// One warp-wide access as the hardware makes it: shared loads that ptxas vectorizes arrive as one.
struct AccessEvent {
  std::uint32_t pc = 0;  // index into Program::functions[entry] as run: Counters::instructions[pc] is its row
  std::uint32_t warp = 0;  // in the block
  ptx::Space space = ptx::Space::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t width = 4;    // bytes a lane
  std::uint32_t active = 0;  // lanes that move data
  // Equal non-zero patterns of one pc, space and block: the same active lanes at the same distances from each
  // other. 0: nothing is known.
  std::uint32_t pattern = 0;
  // Lane addresses: addresses[lane] where addresses is given, base + offsets[lane] where offsets is, else
  // base + stride * lane; of active lanes only. For shared memory, byte offsets in the block's shared memory.
  std::uint64_t base = 0;
  std::int64_t stride = 0;
  const std::uint32_t* offsets = nullptr;
  const std::uint64_t* addresses = nullptr;

  // lane: an active one.
  std::uint64_t address(std::uint32_t lane) const {
    if (addresses != nullptr) return addresses[lane];
    if (offsets != nullptr) return base + offsets[lane];
    return base + static_cast<std::uint64_t>(stride) * lane;
  }
};

// Watches one block. Called from the one thread that runs the block, in the order of execution.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void on_access(const AccessEvent&) {}
  virtual void on_barrier(std::uint32_t /*pc*/) {}  // a block-wide barrier was completed
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Called from any worker thread before a block starts; nullptr where the block is not to be watched. block
  // is the linear index x + gridDim.x * (y + gridDim.y * z).
  virtual BlockObserver* begin_block(std::uint64_t /*block*/) { return nullptr; }
  virtual void end_block(std::uint64_t /*block*/) {}
};

}  // namespace warplens::emulator
