#include "engine/report/faces.hpp"

#include <algorithm>

#include "engine/emulator/memory.hpp"

namespace warplens::report {
namespace {

// A vector in rows, of so many elements each.
void fold(Face& face, std::int64_t length, std::int64_t width) {
  face.fold = std::min(width, std::max<std::int64_t>(length, 1));
  face.columns = face.fold;
  face.rows = (length + face.fold - 1) / face.fold;
}

void cover(Face& face) { face.covered_rows = face.rows, face.covered_columns = face.columns; }

}  // namespace

Face face_of(const PlacedBuffer& placed) {
  const problem::MatrixShape& shape = placed.buffer.shape;
  Face face{.name = placed.buffer.name,
            .address = placed.address,
            .elements = placed.buffer.elements,
            .element_bytes = problem::size_in_bytes(placed.buffer.type),
            .is_output = placed.buffer.is_output,
            .rows = shape.rows,
            .columns = shape.columns};
  face.pitch = std::max<std::int64_t>(shape.leading_dimension, 1);
  face.row_major = shape.row_major;
  if (const auto length = std::max(shape.rows, shape.columns); std::min(shape.rows, shape.columns) <= 1)
    fold(face, length, std::max<std::int64_t>(128 / static_cast<std::int64_t>(face.element_bytes), 1));
  cover(face);
  return face;
}

Face face_of(const SharedArray& array) {
  Face face{.name = array.name,
            .address = array.offset,
            .elements = array.bytes / 4,
            .is_shared = true,
            .shared_rows = array.rows};
  fold(face, static_cast<std::int64_t>(face.elements), array.row_words);
  cover(face);
  return face;
}

std::uint64_t place_in(const Face& face, std::uint64_t address) {
  return face.is_shared ? address & emulator::kOwnOffset : address;
}

bool has(const Face& face, std::uint64_t address) {
  address = place_in(face, address);
  return address >= face.address && address - face.address < face.elements * face.element_bytes;
}

std::optional<std::uint64_t> element_of(const Face& face, std::uint64_t address) {
  if (!has(face, address)) return std::nullopt;
  return (place_in(face, address) - face.address) / face.element_bytes;
}

std::optional<std::uint64_t> element_at(const Face& face, Cell cell) {
  if (cell.row < 0 || cell.column < 0 || cell.row >= face.rows || cell.column >= face.columns)
    return std::nullopt;
  const std::int64_t i = face.fold != 0   ? cell.row * face.fold + cell.column
                         : face.row_major ? cell.row * face.pitch + cell.column
                                          : cell.column * face.pitch + cell.row;
  if (i >= static_cast<std::int64_t>(face.elements)) return std::nullopt;
  return static_cast<std::uint64_t>(i);
}

Cell cell_of(const Face& face, std::uint64_t element) {
  const auto i = static_cast<std::int64_t>(element);
  if (face.fold != 0) return {i / face.fold, i % face.fold};
  if (face.row_major) return {i / face.pitch, i % face.pitch};
  return {i % face.pitch, i / face.pitch};
}

}  // namespace warplens::report
