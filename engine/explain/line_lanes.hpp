// The lanes that execute a line of the source: of one warp, time after time, and of all that come there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/explain.hpp"

namespace warplens::explain {

struct LineLanes {
  int line = 0;
  std::vector<std::uint32_t> turns;  // of this warp, the lanes each time; empty: it does not come here
  double efficiency = 1;             // of all warps that ran, 0 to 1
  bool is_test = false;              // the line divides warps: some lanes go on, some wait
  std::string condition;             // that divides them, in the line or the one above; empty: none
  bool others_work = false;          // those that wait have work of their own meanwhile, as in an else
  bool is_scattered = false;         // fewer warps of the block would hold the lanes at work
  int behind_test = 0;        // the compiler has moved all of it behind the test in this line; 0: it has not
  double mean_lanes() const;  // of this warp
};
// block: a position in the run's trace. The instruction of the line that has the fewest lanes stands for the line, of those that are
// executed where the source has them: see run/derived/later_tests.hpp.
LineLanes lanes_at_line(const run::Run& run, std::size_t block, std::uint32_t warp, int line);
// Where both sides of a branch have work no warp finishes early.
inline constexpr std::string_view kOneWay =
    "one way for both: choose between values, not between code; or sort what decides";
// Whether the lanes of the warp that are not among these execute some of its instructions by themselves, at least a
// quarter as many as these do: they do not just wait. False where nobody looked at its lanes.
bool others_work(const run::Run& run, std::size_t block, std::uint32_t warp, std::uint32_t lanes);
Explanation explain(const LineLanes& lanes);
// The same; and if all lanes work, what the line's instructions cost, if instructions are the run's cost.
Explanation explain_line(const run::Run& run, const LineLanes& lanes);

// The line at which most lanes wait: of those with idle lanes, the one that costs most warp instructions
// times idle lanes, and no more than a few instructions of the whole run. 0 where hardly any lane waits.
int line_of_most_idle(const run::Run& run);
// By line, of its own text and of the calls that it makes: the lanes that wait at its instructions, in instructions of whole warps.
std::map<int, double> idle_instructions(const run::Run& run);

}  // namespace warplens::explain
