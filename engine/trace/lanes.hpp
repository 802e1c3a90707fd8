// Which lanes of a block executed which instruction, and what its threads passed to each other through shared
// memory and shuffles: what a Trace, which has memory accesses, does not say.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::trace {

// One instruction of one warp. lanes: those that its guard let act.
struct LaneStep {
  std::uint32_t pc = 0;
  std::uint32_t warp = 0;  // in the block
  std::uint32_t lanes = 0;
};

// A load or store of shared memory, or a shuffle.
struct Exchange {
  enum class Kind : std::uint8_t { load, store, shuffle } kind = Kind::load;
  std::uint8_t words = 1;  // of 4 bytes, a lane
  std::uint32_t pc = 0, warp = 0, lanes = 0;
  std::uint32_t turn = 0;              // how often the warp was at this pc before
  std::array<std::uint32_t, 32> at{};  // of its lanes: the first word of shared memory, or the lane asked
};

struct BlockLanes {
  std::uint64_t block = 0;  // linear index
  // In the order of execution.
  std::vector<LaneStep> steps;
  std::vector<Exchange> exchanges;
  bool is_cut = false;  // the block did more than is kept
};

// Of the blocks that a run recorded, ascending.
struct LaneTrace {
  std::vector<BlockLanes> blocks;
  const BlockLanes* of(std::uint64_t block) const {
    for (const BlockLanes& each : blocks)
      if (each.block == block) return &each;
    return nullptr;
  }
};

}  // namespace warplens::trace
