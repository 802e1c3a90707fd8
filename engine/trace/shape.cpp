#include "engine/trace/shape.hpp"

#include <algorithm>

namespace warplens::trace {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(const Shape& shape, std::span<const std::uint32_t> words) {
  std::uint64_t hash = mix(shape.pc, shape.active);
  hash = mix(hash, static_cast<std::uint64_t>(shape.stride));
  hash =
      mix(hash, static_cast<std::uint64_t>(shape.space) << 24 | static_cast<std::uint64_t>(shape.kind) << 16 |
                    std::uint64_t{shape.width} << 8 | static_cast<std::uint64_t>(shape.form));
  for (const std::uint32_t word : words) hash = mix(hash, word);
  return hash;
}

std::uint32_t words_a_lane(Form form) { return form == Form::affine ? 0 : form == Form::narrow ? 1 : 2; }

// Sets form and stride to the first of the forms that can say the offsets.
void choose_form(Shape& shape, const LaneOffsets& offsets) {
  shape.form = Form::affine;
  shape.stride = 0;
  const std::uint32_t first = first_lane(shape.active), rest = shape.active & (shape.active - 1);
  if (rest == 0) return;
  const std::uint32_t second = first_lane(rest);
  const std::int64_t stride = static_cast<std::int64_t>(offsets[second]) / (second - first);
  bool affine = true, narrow = true;
  for (std::uint32_t mask = rest; mask != 0; mask &= mask - 1) {
    const std::uint32_t lane = first_lane(mask);
    affine &= offsets[lane] == static_cast<std::uint64_t>(stride) * (lane - first);
    narrow &= static_cast<std::int64_t>(offsets[lane]) == static_cast<std::int32_t>(offsets[lane]);
  }
  if (affine) shape.stride = stride;
  shape.form = affine ? Form::affine : narrow ? Form::narrow : Form::wide;
}

}  // namespace

std::span<const std::uint32_t> ShapeTable::words_of(const Shape& shape) const {
  return {words_.data() + shape.offsets,
          static_cast<std::size_t>(std::popcount(shape.active)) * words_a_lane(shape.form)};
}

std::uint32_t ShapeTable::intern(Shape shape, const LaneOffsets& offsets) {
  choose_form(shape, offsets);
  std::array<std::uint32_t, 64> words;
  std::size_t count = 0;
  if (shape.form != Form::affine)
    for (std::uint32_t mask = shape.active; mask != 0; mask &= mask - 1) {
      const std::uint64_t offset = offsets[first_lane(mask)];
      words[count++] = static_cast<std::uint32_t>(offset);
      if (shape.form == Form::wide) words[count++] = static_cast<std::uint32_t>(offset >> 32);
    }
  return add(shape, {words.data(), count});
}

std::uint32_t ShapeTable::intern(const ShapeTable& table, std::uint32_t shape) {
  return add(table[shape], table.words_of(table[shape]));
}

std::uint32_t ShapeTable::add(const Shape& shape, std::span<const std::uint32_t> words) {
  if (slots_.size() < 2 * (shapes_.size() + 1)) grow();
  std::size_t slot = hash_of(shape, words) & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    Shape known = shapes_[slots_[slot] - 1];
    const auto known_words = words_of(known);
    known.offsets = shape.offsets;
    if (known == shape && std::equal(words.begin(), words.end(), known_words.begin(), known_words.end()))
      return slots_[slot] - 1;
  }
  shapes_.push_back(shape);
  shapes_.back().offsets = words.empty() ? 0 : static_cast<std::uint32_t>(words_.size());
  words_.insert(words_.end(), words.begin(), words.end());
  slots_[slot] = size();
  return size() - 1;
}

void ShapeTable::grow() {
  slots_.assign(std::max<std::size_t>(64, 4 * shapes_.size()), 0);
  slots_.resize(std::bit_ceil(slots_.size()), 0);
  for (std::uint32_t s = 0; s < size(); ++s) {
    std::size_t slot = hash_of(shapes_[s], words_of(shapes_[s])) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = s + 1;
  }
}

LaneOffsets ShapeTable::offsets(std::uint32_t number) const {
  const Shape& shape = shapes_[number];
  const auto words = words_of(shape);
  const std::uint32_t first = first_lane(shape.active);
  LaneOffsets offsets{};
  std::size_t at = 0;
  for (std::uint32_t mask = shape.active; mask != 0; mask &= mask - 1) {
    const std::uint32_t lane = first_lane(mask);
    switch (shape.form) {
      case Form::affine:
        offsets[lane] = static_cast<std::uint64_t>(shape.stride) * (lane - first);
        break;
      case Form::narrow:
        offsets[lane] = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(words[at++])});
        break;
      case Form::wide:
        offsets[lane] = words[at] | std::uint64_t{words[at + 1]} << 32;
        at += 2;
        break;
    }
  }
  return offsets;
}

std::uint64_t ShapeTable::bytes_of(std::uint32_t shape) const {
  return sizeof(Shape) + words_of(shapes_[shape]).size_bytes();
}

void ShapeTable::freeze() {
  slots_ = {};
  shapes_.shrink_to_fit();
  words_.shrink_to_fit();
}

}  // namespace warplens::trace
