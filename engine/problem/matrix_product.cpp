#include "engine/problem/matrix_product.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/problem/parallel.hpp"

namespace warplens::problem {
namespace {

// 16 bytes an element: beyond 128 MiB the reference is computed anew at each call.
constexpr std::size_t kMostTilesKept = (std::size_t{128} << 20) / sizeof(ProductTile);

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
    : rows_(rows),
      columns_(columns),
      depth_(depth),
      tiles_across_(static_cast<std::size_t>((columns + kTile - 1) / kTile)),
      tiles_(tiles_across_ * static_cast<std::size_t>((rows + kTile - 1) / kTile)),
      kernel_(fastest_product_kernel()) {
  if (tiles_ <= kMostTilesKept) slots_ = std::make_unique<Slot[]>(tiles_);
}

MatrixProduct::Area MatrixProduct::area_of(std::size_t tile) const {
  const auto row = static_cast<std::int64_t>(tile / tiles_across_) * kTile;
  const auto column = static_cast<std::int64_t>(tile % tiles_across_) * kTile;
  return {row, column, std::min(row + kTile, rows_), std::min(column + kTile, columns_)};
}

bool MatrixProduct::any_checked(const Area& area, std::span<const std::uint8_t> checked) const {
  constexpr std::uint8_t kNone[kTile] = {};
  if (checked.empty()) return true;
  for (std::int64_t row = area.row; row < area.row_end; ++row) {
    const std::uint8_t* line = checked.data() + row * columns_ + area.column;
    if (std::memcmp(line, kNone, static_cast<std::size_t>(area.column_end - area.column)) != 0) return true;
  }
  return false;
}

void MatrixProduct::compute(const Factors& factors, const Area& area, ProductTile& tile) const {
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

void MatrixProduct::compare_tile(const ProductTile& tile, const Area& area, std::span<const std::byte> output,
                                 std::span<const std::uint8_t> checked, Comparison& comparison) const {
  for (std::int64_t row = area.row; row < area.row_end; ++row) {
    for (std::int64_t column = area.column; column < area.column_end; ++column) {
      const std::int64_t index = row * columns_ + column;
      if (!checked.empty() && checked[static_cast<std::size_t>(index)] == 0) continue;
      const auto r = row - area.row, c = column - area.column;
      comparison.sum(index, float_at(output, index), tile.sums[r][c], tile.magnitudes[r][c]);
    }
  }
}

Comparison MatrixProduct::compare(std::span<const float> a, std::span<const float> b,
                                  std::span<const std::byte> output,
                                  std::span<const std::uint8_t> checked) const {
  Comparison whole(sum_tolerance(depth_));
  std::mutex merging;
  parallel_for(tiles_, [&](std::size_t index) {
    const Area area = area_of(index);
    if (!any_checked(area, checked)) return;
    Comparison part(sum_tolerance(depth_));
    const auto make = [&] {
      auto tile = std::make_unique_for_overwrite<ProductTile>();
      compute({a, b}, area, *tile);
      return tile;
    };
    if (slots_) {
      Slot& slot = slots_[index];
      std::call_once(slot.made, [&] { slot.tile = make(); });
      compare_tile(*slot.tile, area, output, checked, part);
    } else {
      compare_tile(*make(), area, output, checked, part);
    }
    const std::lock_guard lock(merging);
    whole.merge(part);
  });
  return whole;
}

}  // namespace warplens::problem
