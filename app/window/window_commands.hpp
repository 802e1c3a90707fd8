// What main() hands to the command line, see app/commands/command_line.hpp.
#pragma once

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

inline constexpr double kGpuTimeout = 10;  // seconds that one launch of a kernel may take

Status window_command(const CommonOptions& common, const WindowOptions& options);
Status screenshot_command(const CommonOptions& common, const ScreenshotOptions& options);

}  // namespace warplens::app
