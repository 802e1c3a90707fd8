#include "engine/gpu/driver/toolkit_library.hpp"

#include <dlfcn.h>

namespace warplens::gpu {

namespace fs = std::filesystem;

namespace {

// Inside a folder of Python packages: since CUDA 13 one place for all, before it one for each library.
constexpr const char* kPipFolders[] = {"nvidia/cu13/lib", "nvidia/cublas/lib", "nvidia/cuda_cupti/lib"};

// A toolkit, its library folder, a Python environment or a folder of pip --target.
void add_root(const fs::path& root, std::vector<fs::path>& folders) {
  for (const char* inside : {"", "lib64", "lib", "extras/CUPTI/lib64"}) folders.push_back(root / inside);
  for (const char* inside : kPipFolders) folders.push_back(root / inside);
  std::error_code ignored;
  for (const auto& python : fs::directory_iterator(root / "lib", ignored)) {
    if (!python.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      for (const char* inside : kPipFolders) folders.push_back(python.path() / packages / inside);
    }
  }
}

}  // namespace

std::vector<fs::path> toolkit_candidates(const std::vector<fs::path>& folders,
                                         std::span<const char* const> names) {
  std::vector<fs::path> places;
  for (const fs::path& root : folders) add_root(root, places);
  for (const char* root : {"/usr/local/cuda", "/opt/cuda", "/usr/local", "/usr"}) add_root(root, places);
  places.emplace_back("/usr/lib/x86_64-linux-gnu");
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& place : places) {
    for (const char* name : names) {
      if (fs::is_regular_file(place / name, ignored)) files.push_back(place / name);
    }
  }
  return files;
}

void* open_toolkit_library(const std::vector<fs::path>& folders, std::span<const char* const> names) {
  for (const fs::path& file : toolkit_candidates(folders, names)) {
    if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  for (const char* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

}  // namespace warplens::gpu
