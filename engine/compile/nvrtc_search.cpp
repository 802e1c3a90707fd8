// Where NVRTC may be installed. TOOLCHAIN facts: the toolkit has it in lib64, NVIDIA's pip packages in
// site-packages/nvidia/cu13/lib (13) and site-packages/nvidia/cuda_nvrtc/lib (12).
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>

#include "engine/compile/nvrtc.hpp"

namespace warplens::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kFileNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::optional<fs::path> library_in(const fs::path& folder) {
  for (const char* name : kFileNames) {
    if (is_file(folder / name)) return folder / name;
  }
  return std::nullopt;
}

// Children whose name starts so, the highest version first ("cuda-13.0" before "cuda-12.8").
std::vector<fs::path> children(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return strverscmp(a.filename().c_str(), b.filename().c_str()) > 0;
  });
  return found;
}

void add_site_packages(const fs::path& folder, std::vector<fs::path>& candidates) {
  candidates.push_back(folder / "nvidia" / "cu13" / "lib");
  candidates.push_back(folder / "nvidia" / "cuda_nvrtc" / "lib");
}

// A toolkit, a Python environment, a pip --target folder, or the library's own folder.
void add_root(const fs::path& root, std::vector<fs::path>& candidates) {
  candidates.push_back(root);
  candidates.push_back(root / "lib64");
  candidates.push_back(root / "lib");
  candidates.push_back(root / "targets" / "x86_64-linux" / "lib");
  add_site_packages(root, candidates);
  for (const fs::path& python : children(root / "lib", "python3")) {
    add_site_packages(python / "site-packages", candidates);
    add_site_packages(python / "dist-packages", candidates);
  }
}

std::vector<fs::path> usual_folders() {
  std::vector<fs::path> candidates;
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path(); !program.empty()) {
    add_root(program, candidates);
    candidates.push_back(program.parent_path() / "lib");
  }
  add_root("/usr/local/cuda", candidates);  // the one the administrator chose
  for (const fs::path& toolkit : children("/usr/local", "cuda")) add_root(toolkit, candidates);
  add_root("/opt/cuda", candidates);
  add_root("/usr/local", candidates);
  add_root("/usr", candidates);
  candidates.emplace_back("/usr/lib/x86_64-linux-gnu");
  return candidates;
}

// The dynamic linker knows more folders (ld.so.conf, LD_LIBRARY_PATH) but tells only by loading.
std::optional<fs::path> library_of_the_linker() {
  for (const char* name : kFileNames) {
    void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) continue;
    Dl_info info{};
    void* function = dlsym(handle, "nvrtcVersion");
    if (function != nullptr && dladdr(function, &info) != 0) return fs::path(info.dli_fname);
  }
  return std::nullopt;
}

std::optional<fs::path> find_library(const Compiler::Options& options) {
  if (!options.library.empty()) {
    if (is_file(options.library)) return options.library;
    return library_in(options.library);
  }
  std::vector<fs::path> candidates;
  for (const fs::path& root : options.search_folders) add_root(root, candidates);
  const std::vector<fs::path> usual = usual_folders();
  candidates.insert(candidates.end(), usual.begin(), usual.end());
  for (const fs::path& folder : candidates) {
    if (auto library = library_in(folder)) return library;
  }
  return library_of_the_linker();
}

// The toolkit's headers, and the folders that they include from: CCCL's has been one of its own since CUDA
// 13, and with -no-source-include NVRTC does not look beside the including file.
std::vector<fs::path> include_beside(const fs::path& library) {
  const fs::path root = library.parent_path().parent_path();
  for (const fs::path& folder : {root / "include", root.parent_path().parent_path() / "include"}) {
    if (!is_file(folder / "cuda_fp16.h")) continue;
    const fs::path groups = folder / "cooperative_groups";
    return {folder, folder / "cccl", folder / "crt", groups, groups / "details"};
  }
  return {};
}

}  // namespace

NvrtcLocation find_nvrtc(const Compiler::Options& options) {
  const std::optional<fs::path> library = find_library(options);
  if (!library) return {};
  NvrtcLocation location;
  std::error_code ignored;
  location.library = fs::absolute(*library, ignored);
  location.include = include_beside(location.library);
  struct stat status {};
  if (stat(location.library.c_str(), &status) == 0) {
    location.identity = fmt::format("{} {} {}.{:09}", location.library.string(), status.st_size,
                                    status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return location;
}

}  // namespace warplens::compile
