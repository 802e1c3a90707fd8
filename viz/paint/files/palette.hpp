// At most 255 colours for many pictures: all of them where they are that few, else by median cut (Heckbert
// 1982).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "viz/scene/pixels.hpp"

namespace warplens::paint {

class ColorCounts {
 public:
  void add(const scene::Raster& raster);
  std::vector<theme::Rgba> palette(std::size_t most = 255) const;

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> counts_;
};

// Finds the nearest entry of a palette; remembers what it found. Precondition: the palette is not empty.
class PaletteIndex {
 public:
  explicit PaletteIndex(std::vector<theme::Rgba> palette) : palette_(std::move(palette)) {}
  std::vector<std::uint8_t> indices(const scene::Raster& raster);

 private:
  std::vector<theme::Rgba> palette_;
  std::unordered_map<std::uint32_t, std::uint8_t> known_;
};

}  // namespace warplens::paint
