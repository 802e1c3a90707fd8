// Where the program finds its data and keeps its cache. The only place that reads the environment.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

struct Environment {
  std::string warplens_home;           // WARPLENS_HOME
  std::string warplens_nvrtc;          // WARPLENS_NVRTC: the NVRTC library to load
  std::string warplens_nvdisasm;       // WARPLENS_NVDISASM: the disassembler to start
  std::string cuda_path, virtual_env;  // CUDA_PATH, VIRTUAL_ENV: where NVRTC may stand
  std::string xdg_cache_home;          // XDG_CACHE_HOME
  std::string xdg_config_home;         // XDG_CONFIG_HOME
  std::string xdg_data_home;           // XDG_DATA_HOME
  std::string home;                    // HOME
  std::string path;                    // PATH: where programs stand
  std::string visual, editor;          // VISUAL, EDITOR: what the user edits texts with
  std::string display, wayland;        // DISPLAY, WAYLAND_DISPLAY: what draws the windows
  std::filesystem::path executable;    // of this process; empty where the system does not say
  std::filesystem::path source_tree;   // that this program was built from; may be gone
};
Environment read_environment();

// The folder that holds kernels/ and assets/: --home, WARPLENS_HOME, ../share/warplens or .. beside the
// executable, the source tree. A folder that the user named is taken as it is. Error: none of the places has
// them (lists them).
Result<std::filesystem::path> find_home(const Environment& environment, const CommonOptions& common);

// Folders beside the data that may have fonts; a packed program brings its own.
std::vector<std::string> font_folders(const std::filesystem::path& home);

// --cache, $XDG_CACHE_HOME/warplens, ~/.cache/warplens; empty for no cache.
std::filesystem::path cache_folder(const Environment& environment, const CommonOptions& common);

// What the window remembers between starts: $XDG_CONFIG_HOME/warplens, ~/.config/warplens; empty for nowhere.
std::filesystem::path config_folder(const Environment& environment);

// What the user made in the window, kernels and drafts of them: $XDG_DATA_HOME/warplens,
// ~/.local/share/warplens; empty for nowhere.
std::filesystem::path data_folder(const Environment& environment);

// The words of a command that opens a file, which follows them, in the user's own editor: VISUAL, EDITOR (in
// a terminal where it needs one), xdg-open. Empty: there is none.
std::vector<std::string> editor_command(const Environment& environment);

}  // namespace warplens::app
