// assets/tour/*.toml: the states that the tour of figures is drawn from.
#pragma once

#include <filesystem>
#include <vector>

#include "app/export_options.hpp"

namespace warplens::app {

struct TourStop {
  std::string name;  // of the file, without its ending
  ExportOptions options;
};

// The stops in the order of their names. Keys: figure, kernel, size, device, block, warp, step, index, op,
// bytes, colors, whole, width, height, and [params]. Errors: no such folder, a file that cannot be read, an
// unknown key.
Result<std::vector<TourStop>> read_tour(const std::filesystem::path& folder);

}  // namespace warplens::app
