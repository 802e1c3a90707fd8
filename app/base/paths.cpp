#include "app/base/paths.hpp"

#include <cstdlib>
#include <system_error>
#include <vector>

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "kernels", ignored) &&
         fs::is_regular_file(folder / "assets" / "devices.toml", ignored);
}

std::vector<fs::path> usual_homes(const Environment& environment) {
  std::vector<fs::path> places;
  if (!environment.executable.empty()) {
    const fs::path beside = environment.executable.parent_path().parent_path();
    places = {beside / "share" / "warplens", beside};
  }
  if (!environment.source_tree.empty()) places.push_back(environment.source_tree);
  return places;
}

}  // namespace

Environment read_environment() {
  std::error_code ignored;
  return {.warplens_home = variable("WARPLENS_HOME"),
          .warplens_nvrtc = variable("WARPLENS_NVRTC"),
          .warplens_nvdisasm = variable("WARPLENS_NVDISASM"),
          .cuda_path = variable("CUDA_PATH"),
          .virtual_env = variable("VIRTUAL_ENV"),
          .xdg_cache_home = variable("XDG_CACHE_HOME"),
          .xdg_config_home = variable("XDG_CONFIG_HOME"),
          .home = variable("HOME"),
          .path = variable("PATH"),
          .display = variable("DISPLAY"),
          .wayland = variable("WAYLAND_DISPLAY"),
          .executable = fs::read_symlink("/proc/self/exe", ignored),
          .source_tree = WARPLENS_SOURCE_DIR};
}

Result<fs::path> find_home(const Environment& environment, const CommonOptions& common) {
  if (!common.home.empty()) return fs::path(common.home);
  if (!environment.warplens_home.empty()) return fs::path(environment.warplens_home);
  std::string looked;
  for (const fs::path& place : usual_homes(environment)) {
    if (has_data(place)) return place;
    looked += (looked.empty() ? "" : ", ") + place.string();
  }
  return Error{"no folder with kernels/ and assets/devices.toml (looked in " + looked + ")",
               "name it with --home DIR or WARPLENS_HOME"};
}

std::vector<std::string> font_folders(const std::filesystem::path& home) {
  return {(home / "fonts").string()};
}

namespace {

// The XDG base directory specification: a relative path there is invalid and ignored.
fs::path own_folder(const fs::path& xdg, const Environment& environment, const char* below_home) {
  if (xdg.is_absolute()) return xdg / "warplens";
  if (environment.home.empty()) return {};
  return fs::path(environment.home) / below_home / "warplens";
}

}  // namespace

fs::path cache_folder(const Environment& environment, const CommonOptions& common) {
  if (common.no_cache) return {};
  if (!common.cache.empty()) return common.cache;
  return own_folder(environment.xdg_cache_home, environment, ".cache");
}

fs::path config_folder(const Environment& environment) {
  return own_folder(environment.xdg_config_home, environment, ".config");
}

}  // namespace warplens::app
