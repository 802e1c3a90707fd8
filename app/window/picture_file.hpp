// Pictures as files.
#pragma once

#include <filesystem>

#include "engine/base/result.hpp"
#include "viz/scene/pixels.hpp"

namespace warplens::app {

Status write_png(const scene::Raster& raster, const std::filesystem::path& file);

}  // namespace warplens::app
