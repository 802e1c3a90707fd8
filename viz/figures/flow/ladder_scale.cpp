#include "viz/figures/flow/ladder_scale.hpp"

#include "engine/explain/opening.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::figures {
namespace {

// Only the recorded blocks run: what is said of an access needs no counts.
std::string says_at_opening(run::Runner& runner, const run::Request& request,
                            const catalog::KernelSpec* judged_against, const std::atomic<bool>& cancel) {
  const auto job = runner.job(request, cancel);
  if (!job) return "";
  auto execution =
      run::execute(*job, {.record = 0, .recorded_blocks_only = true, .threads = request.threads});
  if (!execution || cancel) return "";
  const run::SharedRun run = run::tabulate_preview(*job, *std::move(execution));
  if (run == nullptr || run->fault || run->stories.empty()) return "";
  const explain::Opening opening = explain::opening_of(*run, 0, 0, judged_against);
  const Subject subject{.run = run, .place = {.access = opening.access, .line = opening.line}};
  return what_it_says(*find_figure("access"), subject).explanation.what;
}

}  // namespace

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

std::shared_ptr<const StepBefore> step_before(run::Runner& runner, const LadderStep& step,
                                              const catalog::KernelSpec* judged_against,
                                              const std::atomic<bool>& cancel) {
  auto count = runner.count(step.run, cancel);
  if (!count) return nullptr;
  auto before = std::make_shared<StepBefore>(step.number, step.run.spec.title, *std::move(count));
  before->says = says_at_opening(runner, step.run, judged_against, cancel);
  return before;
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
