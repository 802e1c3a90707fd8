// The command line of the program: words -> options -> command -> exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

// The commands that show the window, on a display or as a picture. main() hands them in: the command line
// itself links no graphics.
struct WindowCommands {
  // Error: no display (exit 2, says how to export instead).
  std::function<Status(const CommonOptions&, const WindowOptions&)> window;
  // Error, beside the picture: a state with figure = "live" cannot go live, and why.
  std::function<Status(const CommonOptions&, const ScreenshotOptions&)> screenshot;
};

// arguments: as main() got them, the program's name first. Prints the answer to stdout and at most one line
// an error to stderr. Returns the exit code: 0 fine, 1 a wrong result, 2 bad input.
int run_command_line(const std::vector<std::string>& arguments, const WindowCommands& windows);

}  // namespace warplens::app
