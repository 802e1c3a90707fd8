// What accesses of one instruction have in common: which lanes, how wide, and how far apart. An access is a
// shape and the address of its first active lane.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/emulator/observer.hpp"

namespace warplens::trace {

// Where the offsets of the lanes from the first active lane are kept.
enum class Form : std::uint8_t {
  affine,  // stride * (lane - first active lane)
  narrow,  // one word an active lane
  wide,    // two words an active lane, the low one first
};

struct Shape {
  std::uint32_t pc = 0;
  std::uint32_t active = 0;
  std::int64_t stride = 0;    // affine: bytes a lane; 0 where one lane is active
  std::uint32_t offsets = 0;  // narrow and wide: index of the first word
  ptx::Space space = ptx::Space::global;
  emulator::AccessKind kind = emulator::AccessKind::load;
  std::uint8_t width = 4;  // bytes a lane
  Form form = Form::affine;
  bool operator==(const Shape&) const = default;
};
static_assert(sizeof(Shape) == 24);

inline std::uint32_t first_lane(std::uint32_t active) {
  return active == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(active));
}

// Offsets of the lanes from the first active lane, modulo 2^64; 0 for lanes that are not active.
using LaneOffsets = std::array<std::uint64_t, 32>;

// Distinct shapes, numbered in the order of their first appearance.
class ShapeTable {
 public:
  // The number of the shape with these offsets. Its form, stride and `offsets` are set here: of all ways to
  // write a shape down the table takes one, so that equal accesses are equal however they were reported.
  std::uint32_t intern(Shape shape, const LaneOffsets& offsets);
  // The same for a shape of another table.
  std::uint32_t intern(const ShapeTable& table, std::uint32_t shape);

  const Shape& operator[](std::uint32_t shape) const { return shapes_[shape]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(shapes_.size()); }
  LaneOffsets offsets(std::uint32_t shape) const;
  // Bytes that one shape takes.
  std::uint64_t bytes_of(std::uint32_t shape) const;
  std::uint64_t bytes() const {
    return shapes_.size() * sizeof(Shape) + words_.size() * sizeof(std::uint32_t);
  }
  // Frees what only intern needs; nothing may be added afterwards.
  void freeze();
  bool operator==(const ShapeTable& other) const {
    return shapes_ == other.shapes_ && words_ == other.words_;
  }

 private:
  std::uint32_t add(const Shape& shape, std::span<const std::uint32_t> words);
  std::span<const std::uint32_t> words_of(const Shape& shape) const;
  void grow();

  std::vector<Shape> shapes_;
  std::vector<std::uint32_t> words_;  // of all irregular shapes
  std::vector<std::uint32_t> slots_;  // open addressing: 1 + number of a shape, 0 where empty
};

}  // namespace warplens::trace
