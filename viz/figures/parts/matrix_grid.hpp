// A buffer of a problem, or an array in shared memory, as a grid of cells: which part of it is shown, and
// what is marked in it. Cells are pixels of one image, never rectangles of their own, so that a picture of
// 8192 x 8192 costs what it shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/elements.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/shared_arrays.hpp"

namespace warplens::figures {

// Element -> cell. A vector is folded into rows so that it fills a plane. The elements of shared memory are
// its words of 4 bytes.
struct Face {
  std::string name;
  std::uint64_t address = 0;  // of the first element; shared memory: byte offset
  std::uint64_t elements = 0, element_bytes = 4;
  bool is_output = false, is_shared = false;
  bool is_unused = false;  // the copy of another buffer, for kernels that this one is not among: not drawn
  SharedArray::Rows shared_rows = SharedArray::Rows::banks;
  std::int64_t rows = 0, columns = 0;
  std::int64_t fold = 0;   // elements a row of a folded vector; 0: a matrix
  std::int64_t pitch = 1;  // leading dimension
  bool row_major = true;
  std::int64_t covered_rows = 0, covered_columns = 0;  // where the last blocks end; at least rows, columns
};
Face face_of(const report::PlacedBuffer& placed);
Face face_of(const SharedArray& array);
// The element that holds this byte; nothing outside.
bool has(const Face& face, std::uint64_t address);
std::optional<std::uint64_t> element_of(const Face& face, std::uint64_t address);

struct Cell {
  std::int64_t row = 0, column = 0;
};
Cell cell_of(const Face& face, std::uint64_t element);
// The element at a cell; nothing beyond the matrix.
std::optional<std::uint64_t> element_at(const Face& face, Cell cell);

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
// lies in the whole.
void draw_grid(Group& group, const Rect& rect, const Face& face, Span rows, Span columns,
               scene::SharedPixels pixels, scene::Size cell, Bin bin);

}  // namespace warplens::figures
