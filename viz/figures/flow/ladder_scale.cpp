#include "viz/figures/flow/ladder_scale.hpp"

#include <algorithm>
#include <set>

#include "engine/explain/doubt.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/reuse.hpp"

namespace warplens::figures {
namespace {

// Only the recorded blocks run: what is said of an access needs no counts.
std::vector<std::string> says_of_loads(run::Runner& runner, const run::Request& request,
                                       const catalog::KernelSpec* judged_against,
                                       const std::atomic<bool>& cancel) {
  const auto job = runner.job(request, cancel);
  if (!job) return {};
  auto execution =
      run::execute(*job, {.record = 0, .recorded_blocks_only = true, .threads = request.threads});
  if (!execution || cancel) return {};
  const run::SharedRun run = run::tabulate_preview(*job, *std::move(execution));
  if (run == nullptr || run->fault || run->stories.empty()) return {};
  std::vector<std::string> says;
  const std::uint32_t warp = explain::opening_warp(*run, 0);
  const auto say = [&](std::uint32_t access) {
    if (const auto facts = explain::facts_at(*run, {0, warp, access}))
      says.push_back(explain::without_praise(explain::explain_use(*facts), *run).what);
  };
  say(explain::opening_of(*run, 0, warp, judged_against).access);
  constexpr std::size_t most = 512;  // accesses: the first ones show what the others are like
  const auto& accesses = run->stories[0]->accesses();
  std::set<std::uint32_t> pcs;
  for (std::uint32_t a = 0; a < std::min(accesses.of_warp(warp).size(), most); ++a)
    if (const auto access = accesses.at(warp, a); pcs.insert(access->pc).second)
      if (access->kind == emulator::AccessKind::load) say(a);
  return says;
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
  before->says = says_of_loads(runner, step.run, judged_against, cancel);
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
