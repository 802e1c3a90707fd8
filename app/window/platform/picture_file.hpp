// Pictures as files.
#pragma once

#include <filesystem>

#include "engine/base/result.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::app {

Status write_png(const scene::Raster& raster, const std::filesystem::path& file);
// In few colours, for pages that show many pictures.
Status write_small_png(const scene::Raster& raster, const std::filesystem::path& file);

// No wider than this, each pixel the average of those it covers. Opaque pictures only.
scene::Raster shrunk(const scene::Raster& raster, int width);

}  // namespace warplens::app
