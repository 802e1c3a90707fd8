// The commands that show the window, on a display or as a picture. main() hands them in: the command line
// itself links no graphics.
#pragma once

#include <functional>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

struct WindowCommands {
  // Error: no display (exit 2, says how to export instead).
  std::function<Status(const CommonOptions&, const WindowOptions&)> window;
  // Error, beside the picture: a state with figure = "live" cannot go live, and why.
  std::function<Status(const CommonOptions&, const ScreenshotOptions&)> screenshot;
};

}  // namespace warplens::app
