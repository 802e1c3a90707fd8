// The pixels of an image item: indices into a palette whose entries may be semantic (so that a grid of
// threads follows the theme). Immutable and shared: a scene that is copied does not copy an 8192 x 8192 grid.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "viz/scene/color.hpp"

namespace warplens::scene {

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> indices;  // row by row from the top
  std::vector<Color> palette;         // at most 256; an index beyond it is transparent
  std::uint64_t fingerprint = 0;      // of all of the above, for caches of textures
};
using SharedPixels = std::shared_ptr<const Pixels>;

// Null where the sizes do not match: width * height indices, both at least 1.
SharedPixels make_indexed_image(int width, int height, std::vector<std::uint8_t> indices,
                                std::vector<Color> palette);

struct Raster {
  int width = 0, height = 0;
  std::vector<theme::Rgba> pixels;  // row by row from the top, not premultiplied
};

// The colours in this theme. Where the image has more than max_width x max_height pixels, blocks of whole
// pixels are averaged until it has not: a picture never holds more cells than it can show, and a lone cell
// still tints its pixel.
Raster resolve(const Pixels& pixels, const theme::Theme& theme, int max_width, int max_height);

}  // namespace warplens::scene
