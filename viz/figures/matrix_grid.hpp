// A buffer of a problem as a grid of cells: which part of it is shown, and what is marked in it. Cells are
// pixels of one image, never rectangles of their own, so that a picture of 8192 x 8192 costs what it shows.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/report/elements.hpp"
#include "viz/figures/parts.hpp"

namespace warplens::figures {

// Element -> cell. A vector is folded into rows so that it fills a plane.
struct Face {
  const report::PlacedBuffer* placed = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t fold = 0;   // elements a row of a folded vector; 0: a matrix
  std::int64_t pitch = 1;  // leading dimension
  bool row_major = true;
  std::int64_t covered_rows = 0, covered_columns = 0;  // where the last blocks end; at least rows, columns
};
Face face_of(const report::PlacedBuffer& placed);

struct Cell {
  std::int64_t row = 0, column = 0;
};
Cell cell_of(const Face& face, std::uint64_t element);

// The cells of one side that are shown.
struct Span {
  std::int64_t first = 0, count = 0;
  bool contains(std::int64_t i) const { return i >= first && i < first + count; }
};
// About `wanted` cells around [low, high]: a whole page where that holds it, so that the picture stands still
// while the access walks through a page.
Span page_around(std::int64_t size, std::int64_t wanted, std::int64_t low, std::int64_t high);

// Marks of cells, the higher one stays. bin: matrix cells a side that share one cell of the image.
class CellGrid {
 public:
  CellGrid(Span rows, Span columns, std::int64_t bin);
  void mark(Cell cell, std::uint8_t value);
  std::uint8_t at(int row, int column) const {
    return marks_[static_cast<std::size_t>(row) * width_ + column];
  }
  int width() const { return width_; }
  int height() const { return height_; }
  scene::SharedPixels pixels(const std::vector<Color>& palette) const;

 private:
  Span rows_, columns_;
  std::int64_t bin_;
  int width_, height_;
  std::vector<std::uint8_t> marks_;
};

// The grid in its rectangle: panel, image, lines between cells where they are large enough, the part beyond
// the matrix, and along two sides where the part shown lies in the whole.
void draw_grid(Group& group, const Rect& rect, const Face& face, Span rows, Span columns,
               scene::SharedPixels pixels, double cell, std::int64_t bin);

}  // namespace warplens::figures
