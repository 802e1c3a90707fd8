#include "engine/problem/matrix_product.hpp"

#include <algorithm>

namespace warplens::problem {
namespace {

struct alignas(64) Panel {
  double values[kTileDepth][kTile];
};

// values[k][line] = source[(line_begin + line) * leading + k], zero beyond the edge.
void pack_rows(std::span<const float> source, std::int64_t leading, std::int64_t begin, std::int64_t end,
               std::int64_t first, std::int64_t depth, Panel& panel) {
  if (end - begin < kTile) std::fill_n(&panel.values[0][0], kTileDepth * kTile, 0.0);
  for (std::int64_t line = begin; line < end; ++line) {
    const float* from = source.data() + line * leading + first;
    for (std::int64_t k = 0; k < depth; ++k) panel.values[k][line - begin] = from[k];
  }
}

// values[k][column] = source[(first + k) * leading + column_begin + column]
void pack_columns(std::span<const float> source, std::int64_t leading, std::int64_t begin, std::int64_t end,
                  std::int64_t first, std::int64_t depth, Panel& panel) {
  if (end - begin < kTile) std::fill_n(&panel.values[0][0], kTileDepth * kTile, 0.0);
  for (std::int64_t k = 0; k < depth; ++k) {
    const float* from = source.data() + (first + k) * leading + begin;
    for (std::int64_t column = 0; column < end - begin; ++column) panel.values[k][column] = from[column];
  }
}

}  // namespace

MatrixProduct::MatrixProduct(std::int64_t rows, std::int64_t columns, std::int64_t depth)
    : columns_(columns), depth_(depth), kernel_(fastest_product_kernel()), reference_(rows, columns) {}

void MatrixProduct::compute(const Factors& factors, const TileArea& area, ProductTile& tile) const {
  tile = {};
  const auto a = std::make_unique_for_overwrite<Panel>();
  const auto b = std::make_unique_for_overwrite<Panel>();
  for (std::int64_t first = 0; first < depth_; first += kTileDepth) {
    const std::int64_t depth = std::min<std::int64_t>(kTileDepth, depth_ - first);
    pack_rows(factors.a, depth_, area.row, area.row_end, first, depth, *a);
    pack_columns(factors.b, columns_, area.column, area.column_end, first, depth, *b);
    kernel_(&a->values[0][0], &b->values[0][0], static_cast<std::size_t>(depth), tile);
  }
}

Comparison MatrixProduct::compare(std::span<const float> a, std::span<const float> b,
                                  std::span<const std::byte> output,
                                  std::span<const std::uint8_t> checked) const {
  const auto make = [&](const TileArea& area) {
    auto tile = std::make_unique_for_overwrite<ProductTile>();
    compute({a, b}, area, *tile);
    return tile;
  };
  return reference_.compare(sum_tolerance(depth_), checked, make,
                            [&](Comparison& comparison, std::int64_t index, const ProductTile& tile,
                                std::int64_t row, std::int64_t column) {
                              comparison.sum(index, float_at(output, index), tile.sums[row][column],
                                             tile.magnitudes[row][column]);
                            });
}

}  // namespace warplens::problem
