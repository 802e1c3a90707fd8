// PNG bytes of a raster.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::paint {

using Bytes = std::vector<std::uint8_t>;

// 8 bits a channel; without an alpha channel where every pixel is opaque. The same raster gives the same
// bytes.
Result<Bytes> encode_png(const scene::Raster& raster);
// In at most 255 colours, and so a third of the bytes; for opaque pictures.
Result<Bytes> encode_palette_png(const scene::Raster& raster);

}  // namespace warplens::paint
