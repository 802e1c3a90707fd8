// The picture of a report::Face: which part of it is shown, and what is marked in it. Cells are pixels of one
// image, never rectangles of their own, so that a picture of 8192 x 8192 costs what it shows.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/report/faces.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

using report::Cell, report::Face, report::SharedArray;

// "rows as declared", ... for captions.
std::string_view words_of(SharedArray::Rows rows);

// The cells of one side that are shown.
struct Span {
  std::int64_t first = 0, count = 0;
  bool contains(std::int64_t i) const { return i >= first && i < first + count; }
};
// About `wanted` cells around [low, high]: a whole page where that holds it, so that the picture stands still
// while the access walks through a page.
Span page_around(std::int64_t size, std::int64_t wanted, std::int64_t low, std::int64_t high);

// Cells of a matrix that share one cell of the image.
struct Bin {
  std::int64_t rows = 1, columns = 1;
};

// Marks of cells, the higher one stays.
class CellGrid {
 public:
  CellGrid(Span rows, Span columns, Bin bin);
  void mark(Cell cell, std::uint8_t value);
  std::uint8_t at(int row, int column) const {
    return marks_[static_cast<std::size_t>(row) * width_ + column];
  }
  int width() const { return width_; }
  int height() const { return height_; }
  scene::SharedPixels pixels(const std::vector<Color>& palette) const;

 private:
  Span rows_, columns_;
  Bin bin_;
  int width_, height_;
  std::vector<std::uint8_t> marks_;
};

// The grid in its rectangle, each cell of this size: panel, image, lines between cells where they are large
// enough, the part beyond the matrix (at least a few pixels of it), and along two sides where the part shown
// lies in the whole. empty: of the lines between cells that hold nothing.
void draw_grid(Group& group, const Rect& rect, const Face& face, Span rows, Span columns,
               scene::SharedPixels pixels, scene::Size cell, Bin bin, Color empty = edge());

}  // namespace warplens::figures
