// The scale of a ladder's flows, from its steps as they are counted at one size on one device.
#pragma once

#include <atomic>
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

}  // namespace warplens::figures
