// Where NVIDIA's toolkit, pip and Debian put libraries that are opened when they are asked for.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace warplens::gpu {

// The files that could be it, best first. names: file names, the newest first. folders: roots of toolkits or
// Python environments to look through before the usual places. Only stats.
std::vector<std::filesystem::path> toolkit_candidates(const std::vector<std::filesystem::path>& folders,
                                                      std::span<const char* const> names);

// The first of them that opens, else what the system's loader finds by name. Null: none.
void* open_toolkit_library(const std::vector<std::filesystem::path>& folders,
                           std::span<const char* const> names);

}  // namespace warplens::gpu
