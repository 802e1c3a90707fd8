// In which order the blocks of a grid go over the matrices of a problem, by the addresses that they touch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/run/run.hpp"

namespace warplens::run {

// Of one matrix: where each block's tile stands, counted in tiles, by the block's number from 0.
struct TilesOfBlocks {
  std::size_t face = 0;                // of the story of a recorded block
  std::int64_t rows = 0, columns = 0;  // of tiles
  std::vector<report::Cell> of_block;
};

struct BlockOrder {
  std::vector<TilesOfBlocks> matrices;  // inputs first
  std::size_t apart = 0;                // so many of the first blocks share no row and no column of tiles
};

// Null where most blocks take the tile beside that of the block before, as they do where blockIdx.x walks
// along a row; where the grid makes more accesses than a picture is worth; and of a preview.
std::shared_ptr<const BlockOrder> block_order(const Run& run);

}  // namespace warplens::run
