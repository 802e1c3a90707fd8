// The command line of the program: words -> options -> command -> exit code.
#pragma once

#include <string>
#include <vector>

#include "app/commands/window_commands.hpp"

namespace warplens::app {

// arguments: as main() got them, the program's name first. Prints the answer to stdout and at most one line
// an error to stderr. Returns the exit code: 0 fine, 1 a wrong result, 2 bad input.
int run_command_line(const std::vector<std::string>& arguments, const WindowCommands& windows);

}  // namespace warplens::app
