// Which tiles of a matrix product the blocks of a launch make, one after the other, by what they load: all blocks run, by the part of
// the kernel that decides its addresses (grid/address_slice.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/base/cancel.hpp"
#include "engine/report/faces.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Rows or columns [first, end).
struct Stretch {
  std::int64_t first = 0, end = 0;
  std::int64_t count() const { return end - first; }
  auto operator<=>(const Stretch&) const = default;
};

struct ProductTile {
  Stretch rows, columns;  // of the product: rows of A and columns of B that come into the block
  Stretch depth;          // columns of A, rows of B
  // Those of them that the block asks for by itself: other blocks of its cluster bring the rest.
  Stretch own_rows, own_columns;
};

struct ProductTiles {
  report::Face a, b,
      c;  // in global memory, as the product has them: b turned where its rows are the product's columns
  std::vector<std::vector<ProductTile>> of_block;
};

// Whether its problem is a product of two matrices, by their shapes.
bool multiplies_matrices(const Run& run);
// Errors: a run that stopped or is a preview; a kernel whose blocks make no tiles of a product of two matrices, or whose addresses
// depend on data; more accesses than a picture is worth.
Result<ProductTiles> product_tiles_of(const Run& run, const std::atomic<bool>& cancel = kNeverCancelled);

}  // namespace warplens::run
