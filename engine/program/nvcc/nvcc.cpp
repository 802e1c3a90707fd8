#include "engine/program/nvcc/nvcc.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "engine/base/toolkit_library.hpp"

namespace warplens::program {
namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

fs::path on_path(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const fs::path file = fs::path(path.substr(0, end)) / "nvcc";
    if (is_executable(file)) return file;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

}  // namespace

Result<Nvcc> find_nvcc(const std::vector<fs::path>& search, std::string_view path, const fs::path& libraries,
                       const fs::path& headers) {
  constexpr std::array<const char*, 1> kNames{"nvcc"};
  fs::path found = on_path(path);
  if (found.empty())
    for (const fs::path& file : toolkit_candidates(search, kNames))
      if (is_executable(file)) {
        found = file;
        break;
      }
  if (found.empty())
    return Error{"there is no nvcc on this computer, which compiles whole programs",
                 "start it with './run exec', which fetches nvcc, or install a CUDA 13 toolkit"};
  Nvcc nvcc{found, libraries, headers, {}};
  // The packages have lib where nvcc looks for lib64.
  const fs::path root = found.parent_path().parent_path();
  std::error_code ignored;
  if (!fs::exists(root / "lib64", ignored) && fs::exists(root / "lib", ignored))
    nvcc.toolkit_libraries = root / "lib";
  return nvcc;
}

// A word that is replaced by ours: it alone, or the next one as well. 0: it stays.
namespace {
std::size_t replaced(const std::string& word) {
  constexpr std::array<std::string_view, 8> kNames{
      "-cudart",  "--cudart",        "-arch", "--gpu-architecture",
      "-gencode", "--generate-code", "-code", "--gpu-code"};
  for (const std::string_view name : kNames) {
    if (word == name) return 2;
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') return 1;
  }
  return 0;
}
}  // namespace

std::vector<std::string> nvcc_words(const Nvcc& nvcc, const std::vector<std::string>& words,
                                    int compute_capability) {
  std::vector<std::string> all = {nvcc.program.string()};
  if (!nvcc.headers.empty()) all.push_back("-I" + (nvcc.headers / "older").string());
  bool has_lines = false;
  for (std::size_t i = 0; i < words.size();) {
    if (const std::size_t skipped = replaced(words[i]); skipped > 0) {
      i += skipped;
      continue;
    }
    const std::string& word = words[i++];
    has_lines |=
        word == "-lineinfo" || word == "-G" || word == "--generate-line-info" || word == "--device-debug";
    all.push_back(word);
  }
  all.push_back(fmt::format("-gencode=arch=compute_{0},code=[sm_{0},compute_{0}]", compute_capability));
  if (!has_lines) all.push_back("-lineinfo");
  // Lines of host code, of all launches, in the form that HostLines reads.
  all.emplace_back("-Xcompiler=-g1,-gdwarf-2");
  all.insert(all.end(), {"-cudart=shared", "-L" + nvcc.libraries.string()});
  if (!nvcc.toolkit_libraries.empty()) all.push_back("-L" + nvcc.toolkit_libraries.string());
  if (!nvcc.headers.empty()) all.insert(all.end(), {"-include", (nvcc.headers / "older_cuda.h").string()});
  return all;
}

}  // namespace warplens::program
