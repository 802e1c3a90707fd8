// The monkey as a program, for CTest and ./test --monkey:
//   monkey --seconds S         new seeds for so long
//   monkey --seeds N [FIRST]   N seeds from FIRST on, 1 where it is not said
//   monkey --play FILE         the actions of a file, in this process
//   monkey --list SEED         what a seed does, for such a file
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <string>

#include "app/window/testing/monkey/hunt.hpp"
#include "app/window/testing/stage_test.hpp"

namespace {

namespace monkey = warplens::app::monkey;

#if defined(__SANITIZE_ADDRESS__)
constexpr double kSlower = 4;
#else
constexpr double kSlower = 1;
#endif

int usage() {
  std::fprintf(stderr, "monkey --seconds S | --seeds N [FIRST] | --play FILE | --list SEED\n");
  return 2;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  const std::string value = count > 2 ? words[2] : "";
  if (value.empty()) return usage();
  if (what == "--play") return monkey::play_here(value);
  if (const std::string why = warplens::app::why_no_stage(); !why.empty()) {
    std::printf("the monkey has no window: %s\n", why.c_str());
    return monkey::kNoCage;
  }
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const monkey::Hunt how{.program = program.string(),
                         .limits = {.hang = 30 * kSlower},
                         .folder = program.parent_path().parent_path() / "monkey"};
  if (what == "--list")
    return std::fputs(to_text(monkey::actions_of(std::strtoull(words[2], nullptr, 10), how.actions)).c_str(),
                      stdout) < 0;
  const double number = std::atof(value.c_str());
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  if (what == "--seconds") return monkey::hunt(how, std::random_device{}(), all, number) > 0;
  if (what != "--seeds") return usage();
  const std::uint64_t first = count > 3 ? std::strtoull(words[3], nullptr, 10) : 1;
  return monkey::hunt(how, first, static_cast<std::uint64_t>(number), 1e9) > 0;
}
