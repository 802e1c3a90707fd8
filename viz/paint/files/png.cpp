#include "viz/paint/files/png.hpp"

#include <png.h>

#include <algorithm>

#include "viz/paint/files/palette.hpp"

namespace warplens::paint {
namespace {

Error png_error(const png_image& image) {
  return {std::string("PNG: ") + image.message, "try a smaller scale"};
}

}  // namespace

// libpng's simplified interface: no longjmp crosses our frames.
Result<Bytes> encode_png(const scene::Raster& raster) {
  const bool opaque =
      std::all_of(raster.pixels.begin(), raster.pixels.end(), [](theme::Rgba c) { return c.a == 255; });
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(raster.width);
  image.height = static_cast<png_uint_32>(raster.height);
  image.format = opaque ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> rows;
  rows.reserve(raster.pixels.size() * 4);
  for (const theme::Rgba c : raster.pixels) {
    rows.insert(rows.end(), {c.r, c.g, c.b});
    if (!opaque) rows.push_back(c.a);
  }
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  Bytes bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, rows.data(), 0, nullptr))
    return png_error(image);
  bytes.resize(size);
  return bytes;
}

Result<Bytes> encode_palette_png(const scene::Raster& raster) {
  ColorCounts counts;
  counts.add(raster);
  const std::vector<theme::Rgba> colors = counts.palette();
  std::vector<std::uint8_t> map;
  for (const theme::Rgba c : colors) map.insert(map.end(), {c.r, c.g, c.b});
  const std::vector<std::uint8_t> rows = PaletteIndex(colors).indices(raster);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(raster.width);
  image.height = static_cast<png_uint_32>(raster.height);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(colors.size());
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  Bytes bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, rows.data(), 0, map.data()))
    return png_error(image);
  bytes.resize(size);
  return bytes;
}

}  // namespace warplens::paint
