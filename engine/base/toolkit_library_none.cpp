#include "engine/base/toolkit_library.hpp"

namespace warplens {

namespace fs = std::filesystem;

fs::path library_in(const fs::path&, std::span<const char* const>) { return {}; }

std::vector<fs::path> toolkit_candidates(const std::vector<fs::path>&, std::span<const char* const>) {
  return {};
}

void* open_toolkit_library(const std::vector<fs::path>&, std::span<const char* const>) { return nullptr; }

}  // namespace warplens
