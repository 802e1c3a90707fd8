#include "app/window/testing/monkey/hunt.hpp"

#include <fmt/format.h>

#include <chrono>

#include "app/window/testing/monkey/shrink.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app::monkey {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Its beginning, with where it stopped, and its last lines.
std::string ends_of(const std::string& text) {
  constexpr std::size_t kFirst = 5000, kLast = 2000;
  if (text.size() <= kFirst + kLast) return text;
  return text.substr(0, text.rfind('\n', kFirst)) + "\n...\n" +
         text.substr(text.find('\n', text.size() - kLast) + 1);
}

void tell_death(const Hunt& how, std::uint64_t seed, const Outcome& outcome, const Actions& played) {
  fmt::print("seed {}: {} at action {}\n{}\n", seed, outcome.death, outcome.begun, ends_of(outcome.said));
  std::fflush(stdout);
  const Actions list = shorten(how, played);
  const Outcome again = play(how.program, list, how.limits);
  fmt::print("seed {}: the shortest list that repeats it, {} of {} actions:\n{}\n{}\n", seed, list.size(),
             played.size(), again.did, ends_of(again.said));
  if (how.folder.empty()) return;
  const auto file = how.folder / fmt::format("seed-{}.txt", seed);
  std::error_code failed;
  std::filesystem::create_directories(how.folder, failed);
  if (const Status written = write_whole_file(file, to_text(list)); !written)
    return fmt::print("{}\n", to_line(written.error()));
  fmt::print("again: {} --play {}\n", how.program, file.string());
}

}  // namespace

Actions shorten(const Hunt& how, Actions list) {
  const auto start = Clock::now();
  const auto goes_on = [&] { return seconds_since(start) < how.shorten; };
  const auto dies = [&](const Actions& shorter) {
    for (int tries = 0; tries < 3; ++tries)
      if (!play(how.program, shorter, how.limits).death.empty()) return true;
    return false;
  };
  return shortest<Action>(std::move(list), dies, goes_on);
}

int hunt(const Hunt& how, std::uint64_t first_seed, std::uint64_t seeds, double seconds) {
  const auto start = Clock::now();
  int deaths = 0;
  std::size_t actions = 0;
  std::uint64_t tried = 0;
  for (; tried < seeds && seconds_since(start) < seconds; ++tried) {
    const std::uint64_t seed = first_seed + tried;
    Actions list = actions_of(seed, how.actions);
    const Outcome outcome = play(how.program, list, how.limits);
    actions += outcome.begun;
    if (outcome.death.empty()) continue;
    ++deaths;
    list.resize(std::min(list.size(), outcome.begun));
    tell_death(how, seed, outcome, list);
  }
  fmt::print("{} seeds from {}, {} actions, {:.0f} s, {} deaths\n", tried, first_seed, actions,
             seconds_since(start), deaths);
  return deaths;
}

}  // namespace warplens::app::monkey
