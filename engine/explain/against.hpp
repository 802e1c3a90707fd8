// A step of a ladder against the one before it: what both count for the same work, and what was measured.
#pragma once

#include <optional>
#include <string>

#include "engine/explain/explain.hpp"
#include "engine/run/count.hpp"

namespace warplens::explain {

// "1.7 times fewer wavefronts of shared memory". Of a quicker step: what it counts less of by the greatest
// ratio, and beside it what it counts clearly more of; of a slower one the other way round. Empty where
// either does no work or the device does not run it.
struct Against {
  Verdict verdict = Verdict::neutral;  // by the speeds where they are known, else by the counts
  std::string speed = {};              // "1.83 times as fast"; empty where it is not known
  std::string words = {};
  bool is_ratio = true;  // whether "than step 2" can follow the words
};
// speed: over that of the step before, measured.
Against against(const run::StepCount& step, const run::StepCount& before, std::optional<double> speed = {});

}  // namespace warplens::explain
