// The program's "now": what every figure reads and any view may propose anew.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::figures {

struct Selection {
  std::string kernel;  // id
  catalog::Values parameters, sizes;
  std::string device = "h100";
  std::array<std::uint32_t, 3> block{};  // x, y, z in the grid
  std::uint32_t warp = 0;                // in the block
  int lane = 0;
  std::uint32_t step = 0;  // counts the memory accesses of the warp from 0
  std::optional<std::uint32_t> pc = {};
  std::optional<std::uint64_t> address = {};
  bool operator==(const Selection&) const = default;
};

// x + gridDim.x * (y + gridDim.y * z), as traces number blocks.
inline std::uint64_t linear_block(const std::array<std::uint32_t, 3>& block,
                                  const std::array<std::uint32_t, 3>& grid) {
  return block[0] + std::uint64_t{grid[0]} * (block[1] + std::uint64_t{grid[1]} * block[2]);
}
inline std::array<std::uint32_t, 3> block_index(std::uint64_t linear,
                                                const std::array<std::uint32_t, 3>& grid) {
  return {static_cast<std::uint32_t>(linear % grid[0]),
          static_cast<std::uint32_t>(linear / grid[0] % grid[1]),
          static_cast<std::uint32_t>(linear / grid[0] / grid[1])};
}

}  // namespace warplens::figures
