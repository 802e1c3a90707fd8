#include "engine/base/toolkit_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace warplens {

namespace fs = std::filesystem;

namespace {

// Inside a folder of Python packages: since CUDA 13 one place for all, before it one for each library.
constexpr const char* kPipFolders[] = {"nvidia/cu13/lib",       "nvidia/cu13/bin",
                                       "nvidia/cuda_nvrtc/lib", "nvidia/cublas/lib",
                                       "nvidia/cuda_cupti/lib", "nvidia/cuda_nvdisasm/bin"};

// Children whose name starts so, the highest version first ("cuda-13.0" before "cuda-12.8").
std::vector<fs::path> children(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return strverscmp(a.filename().c_str(), b.filename().c_str()) > 0;
  });
  return found;
}

void add_root(const fs::path& root, std::vector<fs::path>& folders) {
  for (const char* inside : {"", "lib64", "lib", "bin", "targets/x86_64-linux/lib", "extras/CUPTI/lib64"})
    folders.push_back(root / inside);
  for (const char* inside : kPipFolders) folders.push_back(root / inside);
  for (const fs::path& python : children(root / "lib", "python3"))
    for (const char* packages : {"site-packages", "dist-packages"})
      for (const char* inside : kPipFolders) folders.push_back(python / packages / inside);
}

void add_usual(std::vector<fs::path>& folders) {
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path(); !program.empty()) {
    add_root(program, folders);
    folders.push_back(program.parent_path() / "lib");
  }
  add_root("/usr/local/cuda", folders);  // the one the administrator chose
  for (const fs::path& toolkit : children("/usr/local", "cuda")) add_root(toolkit, folders);
  for (const char* root : {"/opt/cuda", "/usr/local", "/usr"}) add_root(root, folders);
  folders.emplace_back("/usr/lib/x86_64-linux-gnu");
}

}  // namespace

fs::path library_in(const fs::path& folder, std::span<const char* const> names) {
  std::error_code ignored;
  for (const char* name : names)
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return {};
}

std::vector<fs::path> toolkit_candidates(const std::vector<fs::path>& folders,
                                         std::span<const char* const> names) {
  std::vector<fs::path> places;
  for (const fs::path& root : folders) add_root(root, places);
  add_usual(places);
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& place : places)
    for (const char* name : names)
      if (fs::is_regular_file(place / name, ignored)) files.push_back(place / name);
  return files;
}

void* open_toolkit_library(const std::vector<fs::path>& folders, std::span<const char* const> names) {
  for (const fs::path& file : toolkit_candidates(folders, names))
    if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  for (const char* name : names)
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

}  // namespace warplens
