// A buffer of a problem, or an array in shared memory, laid out as a plane of cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/report/elements.hpp"
#include "engine/report/shared_arrays.hpp"

namespace warplens::report {

// Element -> cell. A vector is folded into rows of 128 bytes, the lines of memory. The elements of shared
// memory are its words of 4 bytes.
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
Face face_of(const PlacedBuffer& placed);
Face face_of(const SharedArray& array);
// The address as faces count it: blocks of a cluster have the same arrays, so that an address in the shared
// memory of another block is the place in its array.
std::uint64_t place_in(const Face& face, std::uint64_t address);
// The element that holds this byte; nothing outside.
bool has(const Face& face, std::uint64_t address);
std::optional<std::uint64_t> element_of(const Face& face, std::uint64_t address);

struct Cell {
  std::int64_t row = 0, column = 0;
};
Cell cell_of(const Face& face, std::uint64_t element);
// The element at a cell; nothing beyond the matrix.
std::optional<std::uint64_t> element_at(const Face& face, Cell cell);

}  // namespace warplens::report
