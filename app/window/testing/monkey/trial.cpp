#include "app/window/testing/monkey/trial.hpp"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "app/testing/child_process.hpp"
#include "app/window/testing/monkey/cage.hpp"
#include "app/window/testing/monkey/world.hpp"
#include "engine/base/process.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app::monkey {
namespace {

// Each action is a line that begins with a letter, before anything of it is done.
constexpr std::string_view kBegun = "> ";
constexpr double kLookEvery = 0.05, kTimeToDie = 20;  // seconds

// Leaks are no death, and Mesa has its own.
std::vector<std::string> environment() {
  return environment_with({{"ASAN_OPTIONS", "detect_leaks=0:handle_abort=1"},
                           {"UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1"}});
}

// Ends it where nothing new is said for so long. True: it was ended.
bool wait_while_it_speaks(Process& child, const Descriptor& out, double silence) {
  using std::chrono::steady_clock;
  auto spoke = steady_clock::now();
  for (off_t size = 0; !child.wait(kLookEvery);) {
    if (const off_t now = out.size(); std::exchange(size, now) != now) spoke = steady_clock::now();
    if (std::chrono::duration<double>(steady_clock::now() - spoke).count() < silence) continue;
    child.send_signal(SIGABRT);  // sanitizers then say where it is
    if (!child.wait(kTimeToDie)) child.send_signal(SIGKILL), child.wait();
    return true;
  }
  return false;
}

std::string death_of(const Process& child, bool hung, const Limits& limits) {
  if (hung) return "no frame in " + std::to_string(static_cast<int>(limits.hang)) + " s";
  if (const auto signal = child.signal()) return strsignal(*signal);
  return child.exit_code() == 0 ? "" : "exit code " + std::to_string(child.exit_code());
}

}  // namespace

Outcome play(const std::string& program, const Actions& actions, const Limits& limits) {
  const Descriptor in = memory_file(), out = memory_file(), err = memory_file();
  const std::string list = "/proc/self/fd/0";
  const std::string text = to_text(actions);
  if (pwrite(in.number(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    return {"the list cannot be handed over", "", "", 0};
  auto child = Process::start({.words = {program, "--play", list},
                               .descriptors = {{0, in.number()}, {1, out.number()}, {2, err.number()}},
                               .environment = environment()});
  if (!child) return {"the program does not start: " + child.error().message, "", "", 0};
  const bool hung = wait_while_it_speaks(*child, out, limits.hang);
  Outcome outcome{death_of(*child, hung, limits), err.text(), out.text(), 0};
  for (std::size_t at = 0; (at = outcome.did.find(kBegun, at)) != std::string::npos; at += kBegun.size())
    ++outcome.begun;
  return outcome;
}

int play_here(const std::string& file) {
  const auto text = read_whole_file(file);
  const auto actions = text ? parse_actions(*text) : Result<Actions>(text.error());
  if (!actions) return std::fprintf(stderr, "%s\n", to_line(actions.error()).c_str()), 2;
  std::filesystem::create_directories(test_cache_path());
  World world;
  if (!keep_writes_below({world.folder(), test_cache_path()})) return kNoCage;
  for (const Action& action : *actions) {
    std::printf("%s%s", kBegun.data(), to_text(action).c_str());
    std::fflush(stdout);
    action.kind->act(world, action.number);
    world.after_action();
    std::printf("\n");
  }
  std::printf("end\n");
  std::fflush(stdout);
  return 0;
}

}  // namespace warplens::app::monkey
