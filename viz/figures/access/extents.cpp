#include "viz/figures/access/extents.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens::figures {

Span span_of(std::int64_t size, const Extent& extent, std::int64_t page, bool whole) {
  if (whole) return {0, size};
  if (!extent) return page_around(size, page, 0, 0);
  return page_around(size, page, extent->first, extent->second);
}

Extent rows_of(const BufferMarks& marks) {
  if (!marks.extent) return std::nullopt;
  return std::pair{marks.extent->first.row, marks.extent->second.row};
}
Extent columns_of(const BufferMarks& marks) {
  if (!marks.extent) return std::nullopt;
  return std::pair{marks.extent->first.column, marks.extent->second.column};
}
Extent owned_extent(const AccessStory& story, std::size_t face, bool rows) {
  const auto& area = story.owned_area(face);
  if (!area) return std::nullopt;
  const auto& [low, high] = *area;
  return rows ? std::pair{low.row, high.row} : std::pair{low.column, high.column};
}

std::int64_t page_for(const Extent& extent, std::int64_t page) {
  if (!extent) return page;
  const auto count = static_cast<std::uint64_t>(extent->second - extent->first + 1);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::bit_ceil(count)), 8, page);
}

std::int64_t page_for_all(const Extent& all, std::int64_t page, Extent& shown) {
  const std::int64_t least = page_for(all, page);
  if (all->second - all->first < least) shown = all;
  return least;
}

std::int64_t bin_for(double cell) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(2 / cell)));
}

}  // namespace warplens::figures
