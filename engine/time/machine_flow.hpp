// Basic blocks of machine code and how often warps take the ways between them.
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::time {

struct Edge {
  std::uint32_t to = 0;  // index of a block; kLeave: the warp ends
  double taken = 0;      // by a warp, on average
};
inline constexpr std::uint32_t kLeave = ~std::uint32_t{0};

struct Block {
  std::uint32_t first = 0, end = 0;  // instructions
  double executed = 0;               // by a warp, on average
  std::vector<Edge> edges;           // 1 or 2
  double splits = 0;                 // executions of a warp whose lanes take both
  bool joins = false;                // those of a warp that took different ways meet at its end
};

struct MachineFlow {
  std::vector<Block> blocks;  // ascending; the first is the entry
  double instructions = 0;    // of a warp
  double worst_miss = 0;      // of the counts by line, as a share of all
  double least_kept = 1;      // of what the PTX does in a loop that matters: see loop_match.hpp
};

}  // namespace warplens::time
