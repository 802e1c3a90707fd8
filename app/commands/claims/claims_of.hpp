// All that is said of a run beside its pictures, with what it claims, by the functions that the window and
// exports call.
#pragma once

#include <string>
#include <vector>

#include "engine/claims_check/check.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

struct Spoken {
  std::string where;               // "opening", "access 12", "the step", "line 30"
  std::vector<std::string> texts;  // what, why, fix; those that are said
  explain::Claims claims;
  claims_check::Place place;
};

// Of a complete run of a right kernel: what its picture opens on, the first access of each instruction of the
// opening warp, each line, the step as a whole. judged_against: the step before in its ladder, or null.
std::vector<Spoken> spoken_of(const run::SharedRun& run, const catalog::KernelSpec* judged_against);

}  // namespace warplens::app
