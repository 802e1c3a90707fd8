#include <cstdio>
#include <exception>

#include "app/commands/command_line.hpp"
#include "app/window/window_commands.hpp"

// The last place where an exception could go: the libraries return their errors, so only the machine itself
// (no memory, say) can end up here.
int main(int argc, char** argv) {
  try {
    using namespace warplens::app;
    return run_command_line({argv, argv + argc}, {window_command, screenshot_command});
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "warplens: stopped by the system: %s\n", exception.what());
    return 2;
  }
}
