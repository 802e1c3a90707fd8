#include "app/base/paths.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>
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
          .xdg_data_home = variable("XDG_DATA_HOME"),
          .home = variable("HOME"),
          .path = variable("PATH"),
          .visual = variable("VISUAL"),
          .editor = variable("EDITOR"),
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

fs::path data_folder(const Environment& environment) {
  return own_folder(environment.xdg_data_home, environment, ".local/share");
}

namespace {

// By name on the search path, or as a path of its own. Empty: it is not there.
std::string program_at(const std::string& name, const std::string& search_path) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos) return fs::exists(name, ignored) ? name : "";
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && fs::exists(fs::path(folder) / name, ignored)) return fs::path(folder) / name;
  return "";
}

// "code --wait" as its words, the program as its path; empty where it is not there.
std::vector<std::string> command_of(const std::string& text, const std::string& search_path) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) return words;
  words.front() = program_at(words.front(), search_path);
  if (words.front().empty()) words.clear();
  return words;
}

bool needs_terminal(const std::string& program) {
  constexpr std::array<std::string_view, 12> names = {
      "vi", "vim", "nvim", "vim.basic", "vim.tiny", "nano", "pico", "ed", "joe", "hx", "kak", "micro"};
  return std::ranges::find(names, fs::path(program).filename().string()) != names.end();
}

}  // namespace

std::vector<std::string> editor_command(const Environment& environment) {
  for (const std::string& named : {environment.visual, environment.editor}) {
    std::vector<std::string> words = command_of(named, environment.path);
    if (words.empty()) continue;
    if (!needs_terminal(words.front())) return words;
    const std::string terminal = program_at("x-terminal-emulator", environment.path);
    if (terminal.empty()) continue;
    words.insert(words.begin(), {terminal, "-e"});
    return words;
  }
  return command_of("xdg-open", environment.path);
}

}  // namespace warplens::app
