// How much each block of a launch did: whether they did the same, and which of them did the most.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace warplens::emulator {

// Blocks that follow each other and did equally much.
struct BlockWork {
  std::uint64_t first = 0, blocks = 1;
  std::uint64_t instructions = 0;  // of all warps of each of them
  std::uint64_t longest = 0;       // of the warp that executed the most
  bool operator==(const BlockWork&) const = default;
};

// Of more blocks than these it is not kept.
inline constexpr std::uint64_t kMostBlocksKept = std::uint64_t{1} << 22;

// work: ascending. Those that stand behind the last ones and did as much become one with them.
void append(std::vector<BlockWork>& work, const BlockWork& more);

// Of blocks that ran, of a grid of so many: each of the others does what the nearest of them did.
std::vector<BlockWork> over_grid(std::span<const BlockWork> work, std::uint64_t grid);

// Of the blocks of a launch, each told when it ends, by any thread: it is the only one that tells that block.
class WorkOfBlocks {
 public:
  // blocks: those that run, ascending; empty: all of the grid.
  WorkOfBlocks(std::span<const std::uint64_t> blocks, std::uint64_t grid);
  void keep(std::uint64_t block, std::uint64_t instructions, std::uint64_t longest);
  std::vector<BlockWork> all() const;

 private:
  std::span<const std::uint64_t> blocks_;
  std::vector<std::array<std::uint64_t, 2>> kept_;  // by place among the blocks
};

}  // namespace warplens::emulator
