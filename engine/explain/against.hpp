// A step of a ladder against the one before it, by what both count for the same work.
#pragma once

#include <string>

#include "engine/explain/explain.hpp"
#include "engine/run/count.hpp"

namespace warplens::explain {

// "1.7 times fewer wavefronts of shared memory": what it counts less of by the greatest ratio; where there is
// nothing, what it counts more of, or that both count the same. Empty where either does no work or the device
// does not run it.
struct Against {
  Verdict verdict = Verdict::neutral;
  std::string words = {};
  bool of_instructions = false, is_ratio = true;
};
Against against(const run::StepCount& step, const run::StepCount& before);

}  // namespace warplens::explain
