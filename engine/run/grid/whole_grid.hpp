// The counts of a whole grid from a few of its blocks, where block_kinds.hpp shows that the others do the
// same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/run/grid/block_kinds.hpp"

namespace warplens::run {

struct WholeGrid {
  emulator::Outcome outcome;          // counts of the grid; a fault of a block that ran
  std::vector<std::uint64_t> blocks;  // that ran; linear indices, ascending
  std::uint64_t stored_bytes = 0;     // by these, in global memory
};
// launch: its `blocks` run too, to be recorded, and may be none. most_blocks: empty if more than these
// would have to run. Errors: as of Kernel::run.
Result<std::optional<WholeGrid>> count_whole_grid(const emulator::Kernel& kernel, emulator::Launch launch,
                                                  const BlockKinds& kinds, std::uint64_t most_blocks,
                                                  emulator::GlobalMemory& memory);

}  // namespace warplens::run
