// Which NVRTC is used, and the headers beside it.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>

#include "engine/base/toolkit_library.hpp"
#include "engine/compile/nvrtc.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kFileNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

// The dynamic linker knows more folders (ld.so.conf, LD_LIBRARY_PATH) but tells only by loading.
fs::path library_of_the_linker() {
  for (const char* name : kFileNames) {
    void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) continue;
    Dl_info info{};
    void* function = dlsym(handle, "nvrtcVersion");
    if (function != nullptr && dladdr(function, &info) != 0) return fs::path(info.dli_fname);
  }
  return {};
}

fs::path find_library(const Compiler::Options& options) {
  std::error_code ignored;
  if (!options.library.empty()) {
    if (is_regular_file(options.library, ignored)) return options.library;
    return library_in(options.library, kFileNames);
  }
  const auto candidates = toolkit_candidates(options.search_folders, kFileNames);
  return candidates.empty() ? library_of_the_linker() : candidates.front();
}

// The toolkit's headers, and the folders that they include from: CCCL's has been one of its own since CUDA
// 13, and with -no-source-include NVRTC does not look beside the including file.
std::vector<fs::path> include_beside(const fs::path& library) {
  const fs::path root = library.parent_path().parent_path();
  for (const fs::path& folder : {root / "include", root.parent_path().parent_path() / "include"}) {
    if (std::error_code ignored; !fs::is_regular_file(folder / "cuda_fp16.h", ignored)) continue;
    const fs::path groups = folder / "cooperative_groups";
    return {folder, folder / "cccl", folder / "crt", groups, groups / "details"};
  }
  return {};
}

}  // namespace

std::vector<fs::path> NvrtcLocation::readable() const {
  std::vector<fs::path> folders = include;
  if (!library.empty()) folders.push_back(library.parent_path());
  return folders;
}

NvrtcLocation find_nvrtc(const Compiler::Options& options) {
  const fs::path library = find_library(options);
  if (library.empty()) return {};
  NvrtcLocation location;
  std::error_code ignored;
  location.library = fs::absolute(library, ignored);
  location.include = include_beside(location.library);
  struct stat status {};
  if (stat(location.library.c_str(), &status) == 0) {
    location.identity = fmt::format("{} {} {}.{:09}", location.library.string(), status.st_size,
                                    status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return location;
}

}  // namespace warplens::compile
