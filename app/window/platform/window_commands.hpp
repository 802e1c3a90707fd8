// The commands that show the window: on a display, or as a picture.
#pragma once

#include <string>

#include "app/commands/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

struct WindowOptions {
  std::string state;       // a TOML file; empty: as the window was left
  double close_after = 0;  // seconds; 0: when the user closes it
};
// Error: no display (exit 2, says how to export instead).
Result<int> window_command(const CommonOptions& common, const WindowOptions& options);

struct ScreenshotOptions {
  std::string state;    // a TOML file
  std::string output;   // a PNG file
  bool timing = false;  // say on stderr how long the frames took
  int thumbnail = 0;    // pixels across; 0: the window as it is
};
Result<int> screenshot_command(const CommonOptions& common, const ScreenshotOptions& options);

struct LiveOptions {
  KernelOptions kernel;
  double seconds = 5;              // of frames, one behind another
  std::string output;              // a PNG file of the last of them; empty: none
  std::string timeline;            // a file of the blocks of a watched launch: .svg .pdf .png .csv
  std::string theme = "dark";      // or "light"
  int width = 1600, height = 900;  // pixels
  int moves = 0;                   // of the sliders, and stops, while it is live
  bool through_host = false;       // the plots' data, even where OpenGL and CUDA can share memory
};
// Error: no GPU, or the kernel is not right on it.
Result<int> live_command(const CommonOptions& common, const LiveOptions& options);

}  // namespace warplens::app
