// The scale of a ladder's flows, from its steps as they are counted at one size on one device.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/run/runner.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::figures {

struct LadderStep {
  std::string number;  // in its ladder, from 1
  run::Request run;
};
// Those of a ladder's steps that solve the plan's problem, to be counted as the plan is, with the values of
// their own files or the nearest that the device takes.
std::vector<LadderStep> steps_of_problem(std::span<const catalog::KernelSpec* const> ladder,
                                         const run::Plan& plan);
// Without the steps that do not run; of those before where it was cancelled.
LadderScale ladder_scale(run::Runner& runner, std::span<const LadderStep> steps,
                         const std::atomic<bool>& cancel);

// The step before another one, counted; and what it says of its loads, by its recorded blocks.
// judged_against: that it is compared with itself, null where there is none. Null where it does not run, or
// was cancelled.
std::shared_ptr<const StepBefore> step_before(run::Runner& runner, const LadderStep& step,
                                              const catalog::KernelSpec* judged_against,
                                              const std::atomic<bool>& cancel);

}  // namespace warplens::figures
