// A reference matrix computed tile by tile where it is asked for, and kept: verifying a sample of blocks
// costs as much as the sample, and verifying again costs the comparison.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>

#include "engine/problem/compare_parts.hpp"
#include "engine/problem/product_kernel.hpp"

namespace warplens::problem {

// The rows and columns of one tile, at most kTile of each.
struct TileArea {
  std::int64_t row, column, row_end, column_end;
};

template <class Tile>
class TiledReference {
 public:
  TiledReference(std::int64_t rows, std::int64_t columns)
      : rows_(rows),
        columns_(columns),
        tiles_across_(static_cast<std::size_t>((columns + kTile - 1) / kTile)),
        tiles_(tiles_across_ * static_cast<std::size_t>((rows + kTile - 1) / kTile)) {
    if (tiles_ <= kMostTilesKept) slots_ = std::make_unique<Slot[]>(tiles_);
  }

  // make(area) -> unique_ptr<Tile>, the same at every call. compare(comparison, index, tile, row, column) for
  // every element (with a flag, where there are flags); row and column count from the tile's corner.
  template <class Make, class Compare>
  Comparison compare(double tolerance, std::span<const std::uint8_t> checked, const Make& make,
                     const Compare& compare) const {
    return compare_parts(tiles_, tolerance, [&](std::size_t index, Comparison& part) {
      const TileArea area = area_of(index);
      if (!any_checked(area, checked)) return;
      if (slots_) {
        Slot& slot = slots_[index];
        std::call_once(slot.made, [&] { slot.tile = make(area); });
        compare_tile(*slot.tile, area, checked, compare, part);
      } else {
        compare_tile(*make(area), area, checked, compare, part);
      }
    });
  }

 private:
  // Beyond 128 MiB the reference is computed again at each call.
  static constexpr std::size_t kMostTilesKept = (std::size_t{128} << 20) / sizeof(Tile);

  struct Slot {
    std::once_flag made;
    std::unique_ptr<Tile> tile;
  };

  TileArea area_of(std::size_t tile) const {
    const auto row = static_cast<std::int64_t>(tile / tiles_across_) * kTile;
    const auto column = static_cast<std::int64_t>(tile % tiles_across_) * kTile;
    return {row, column, std::min(row + kTile, rows_), std::min(column + kTile, columns_)};
  }

  bool any_checked(const TileArea& area, std::span<const std::uint8_t> checked) const {
    constexpr std::uint8_t kNone[kTile] = {};
    if (checked.empty()) return true;
    for (std::int64_t row = area.row; row < area.row_end; ++row) {
      const std::uint8_t* line = checked.data() + row * columns_ + area.column;
      if (std::memcmp(line, kNone, static_cast<std::size_t>(area.column_end - area.column)) != 0) return true;
    }
    return false;
  }

  template <class Compare>
  void compare_tile(const Tile& tile, const TileArea& area, std::span<const std::uint8_t> checked,
                    const Compare& compare, Comparison& comparison) const {
    for (std::int64_t row = area.row; row < area.row_end; ++row) {
      for (std::int64_t column = area.column; column < area.column_end; ++column) {
        const std::int64_t index = row * columns_ + column;
        if (!checked.empty() && checked[static_cast<std::size_t>(index)] == 0) continue;
        compare(comparison, index, tile, row - area.row, column - area.column);
      }
    }
  }

  std::int64_t rows_, columns_;
  std::size_t tiles_across_, tiles_;
  std::unique_ptr<Slot[]> slots_;  // null where the whole reference would be too large to keep
};

}  // namespace warplens::problem
