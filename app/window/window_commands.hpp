// What main() hands to the command line, see app/commands/command_line.hpp.
#pragma once

#include "app/base/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

Status window_command(const CommonOptions& common, const WindowOptions& options);
Status screenshot_command(const CommonOptions& common, const ScreenshotOptions& options);

}  // namespace warplens::app
