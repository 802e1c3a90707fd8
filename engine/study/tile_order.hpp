// Which tiles of a matrix product are under way at the same time, what they share, and what L2 has of it.
//
// Blocks go to the device's SMs in the order of their numbers, so many at a time as fit, and all go at one pace: whoever has made a
// tile takes its next one, and a block without another one makes room for the next block. L2 is one cache of its size whose lines of
// 128 bytes go when nobody has asked for them for longest; what is asked for is what the blocks load and store, in steps of as many
// numbers of k as a line has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/run/derived/product_tiles.hpp"

namespace warplens::study {

struct OrderedTile {
  std::uint64_t block = 0;  // linear index
  run::ProductTile tile;
  std::size_t row = 0, column = 0;                  // of the bands below
  std::uint64_t asked_lines = 0, missed_lines = 0;  // of A and B, of L2; missed: that come from memory
};

struct TileOrder {
  report::Face a, b, c;
  std::uint64_t at_a_time = 1, l2_bytes = 0;    // at_a_time: blocks
  std::vector<std::vector<OrderedTile>> waves;  // each of tiles that are under way together
  std::vector<run::Stretch> rows, columns;      // the bands of A and B, and of C, that tiles are made of
  // Of each band of A and of B: how often its bytes come from memory, on average.
  std::vector<double> reads_of_a, reads_of_b;

  std::uint64_t asked_lines = 0, missed_lines = 0;  // of all tiles
};
// How many bands of A and of B the tiles of a wave need.
struct Bands {
  std::size_t rows = 0, columns = 0;
};
Bands bands_of(const std::vector<OrderedTile>& wave);

// Errors: as of product_tiles_of(); tiles that lie across each other; more lines than are worth waiting for; a device without an L2 or
// on which no block fits.
Result<TileOrder> tile_order_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);

}  // namespace warplens::study
