#include "viz/figures/flow/ladder_scale.hpp"

namespace warplens::figures {

std::vector<LadderStep> steps_of_problem(std::span<const catalog::KernelSpec* const> ladder,
                                         const run::Plan& plan) {
  std::vector<LadderStep> steps;
  for (std::size_t i = 0; i < ladder.size(); ++i)
    if (ladder[i]->problem == plan.spec.problem)
      steps.push_back({std::to_string(i + 1),
                       {.spec = *ladder[i],
                        .parameters = {},
                        .sizes = plan.sizes,
                        .device = plan.device,
                        .nearest = true}});
  return steps;
}

LadderScale ladder_scale(run::Runner& runner, std::span<const LadderStep> steps,
                         const std::atomic<bool>& cancel) {
  LadderScale scale;
  for (const LadderStep& step : steps) {
    if (cancel) break;
    if (const auto count = runner.count(step.run, cancel))
      widen(scale, *count, step.run.device.shared_banks, step.number);
  }
  return scale;
}

}  // namespace warplens::figures
