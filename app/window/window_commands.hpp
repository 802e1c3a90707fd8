// What main() hands to the command line, see app/commands/window_commands.hpp.
#pragma once

#include "app/commands/options.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

Result<int> window_command(const CommonOptions& common, const WindowOptions& options);
Result<int> screenshot_command(const CommonOptions& common, const ScreenshotOptions& options);

}  // namespace warplens::app
