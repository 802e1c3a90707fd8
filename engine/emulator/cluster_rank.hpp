// Where a block is among those of its cluster.
#pragma once

#include <array>
#include <cstdint>

namespace warplens::emulator {

// cluster: blocks along each dimension, 1 where there are none.
inline std::uint32_t rank_in_cluster(std::uint64_t block, const std::array<std::uint32_t, 3>& cluster,
                                     const std::array<std::uint32_t, 3>& grid) {
  std::uint32_t rank = 0, size = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    rank += size * static_cast<std::uint32_t>(block % grid[d] % cluster[d]);
    size *= cluster[d], block /= grid[d];
  }
  return rank;
}

}  // namespace warplens::emulator
