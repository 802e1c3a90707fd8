// Inside of the access figure: the rows and columns of a matrix that a picture shows.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "viz/figures/access/access_marks.hpp"

namespace warplens::figures {

// The rows or columns of a matrix that something needs to be seen: the first and the last.
using Extent = std::optional<std::pair<std::int64_t, std::int64_t>>;

// The rows or columns of a matrix to show.
Span span_of(std::int64_t size, const Extent& extent, std::int64_t page, bool whole);

Extent rows_of(const BufferMarks& marks);
Extent columns_of(const BufferMarks& marks);
// What the block writes, for outputs that were not accessed yet.
Extent owned_extent(const AccessStory& story, std::size_t face, bool rows);
inline Extent first_of(const Extent& a, const Extent& b) { return a ? a : b; }

// No more cells than what the block touches, so that these are large.
std::int64_t page_for(const Extent& extent, std::int64_t page);
// The page for all of this, which is shown as a whole where it fits in there.
std::int64_t page_for_all(const Extent& all, std::int64_t page, Extent& shown);

// So many cells share one of the image that each is at least two pixels wide.
std::int64_t bin_for(double cell);

// The largest cell, at most 26 pixels, for which `fits`; on whole pixels down to 4.
template <class Fits>
double largest_cell(Fits fits) {
  for (double cell = 26; cell >= 4; cell -= 1)
    if (fits(cell)) return cell;
  constexpr double least = 1e-4;  // whole matrices of a million rows
  for (double cell = 3.75; cell > least; cell *= 0.96)
    if (fits(cell)) return cell;
  return least;
}

inline double pixels(std::int64_t cells, double cell) { return static_cast<double>(cells) * cell; }

}  // namespace warplens::figures
