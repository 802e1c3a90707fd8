// Which blocks of a launch run at the same time because they wait for each other: those of a cluster, or of a
// cooperative grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// Blocks that must run at the same time, because they wait for each other.
struct RunsTogether {
  bool whole_grid = false;                        // grid.sync(): a cooperative launch
  bool in_clusters = false;                       // it waits for the blocks of its cluster
  std::array<std::uint32_t, 3> cluster{1, 1, 1};  // __cluster_dims__

  bool alone() const { return !whole_grid && !in_clusters; }
};
RunsTogether together_of(const ptx::Function& flat);

// The blocks (linear indices, ascending) and those that run together with them.
std::vector<std::uint64_t> with_companions(const std::vector<std::uint64_t>& blocks,
                                           const RunsTogether& together,
                                           const std::array<std::uint32_t, 3>& grid);

// The block of that rank in the cluster of `block`.
std::uint64_t block_of_rank(std::uint64_t block, std::uint64_t rank,
                            const std::array<std::uint32_t, 3>& cluster,
                            const std::array<std::uint32_t, 3>& grid);

}  // namespace warplens::emulator
