// All that is said of a run beside its pictures, with what it claims, by the functions that the window and
// exports call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/ladders.hpp"
#include "engine/claims_check/check.hpp"
#include "engine/explain/payoff/next_gain.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/run.hpp"
#include "engine/time/launch/speed_map.hpp"

namespace warplens::app {

struct Spoken {
  std::string where;               // "opening", "access 12", "the step", "line 30"
  std::vector<std::string> texts;  // what, why, fix; those that are said
  explain::Claims claims;
  claims_check::Place place;
};

// A kernel in its ladder.
struct InLadder {
  const catalog::KernelSpec* judged_against = nullptr;  // the step before; null: there is none
  std::string number = {};                              // of that one
  std::vector<explain::LaterStep> later = {};           // the steps behind it
  std::vector<const catalog::KernelSpec*> steps = {};   // all of them
  catalog::Ladder taught = {};
  const measured::RecordedSpeeds* recorded = nullptr;  // on the run's device
  std::optional<double> recorded_seconds = {};         // of a launch of exactly this run
  std::optional<double> measured = {};                 // times as fast as the step before, as recorded
};

// How many sets of a kernel's parameters are predicted for its map, the run's and those that differ least from
// it; 0: none, and nothing is said of the map.
struct OtherSets {
  std::size_t most = 0;
  time::MakeBuild build = {};
};

// All that is said of a run, and what it speaks of besides.
struct Heard {
  std::vector<Spoken> spoken = {};
  claims_check::Beside beside = {};
};
// Of a complete run of a right kernel: what its picture opens on, the first access of each instruction of the
// opening warp, each line, the step as a whole, against the step before, and what its other pictures say.
// sides: of the runner that the run came from.
Heard heard_of(const run::SharedRun& run, const InLadder& ladder, explain::Sides& sides,
               const OtherSets& sets = {});

}  // namespace warplens::app
