// PNG bytes back to a raster.
#pragma once

#include <png.h>

#include <span>

#include "viz/paint/files/png.hpp"

namespace warplens::paint {

inline Result<scene::Raster> decode_png(std::span<const std::uint8_t> bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
    return Error{std::string("PNG: ") + image.message, ""};
  image.format = PNG_FORMAT_RGBA;
  scene::Raster raster{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  raster.pixels.resize(static_cast<std::size_t>(image.width) * image.height);
  static_assert(sizeof(theme::Rgba) == 4);
  if (!png_image_finish_read(&image, nullptr, raster.pixels.data(), 0, nullptr)) {
    png_image_free(&image);
    return Error{std::string("PNG: ") + image.message, ""};
  }
  return raster;
}

}  // namespace warplens::paint
