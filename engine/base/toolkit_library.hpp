// Where NVIDIA's toolkit, pip and Debian put libraries that are opened when they are asked for, and programs.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace warplens {

// The files that could be it, best first: those in `folders`, which are roots of toolkits, Python
// environments, folders of pip --target or the library's own folder; in the program's own folder, its lib and
// ../lib; /usr/local/cuda*, the newest version first, /opt/cuda; Python's site-packages under /usr; the
// system's library folders. names: file names, the newest first. Only stats.
std::vector<std::filesystem::path> toolkit_candidates(const std::vector<std::filesystem::path>& folders,
                                                      std::span<const char* const> names);
// The first of the names in the folder itself; empty: none.
std::filesystem::path library_in(const std::filesystem::path& folder, std::span<const char* const> names);

// The first candidate that opens, else what the system's loader finds by name. Null: none.
void* open_toolkit_library(const std::vector<std::filesystem::path>& folders,
                           std::span<const char* const> names);

}  // namespace warplens
