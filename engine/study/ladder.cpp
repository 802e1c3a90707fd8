#include "engine/study/ladder.hpp"

#include <algorithm>
#include <set>

#include "engine/catalog/problem_text.hpp"
#include "engine/explain/doubt.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/reuse.hpp"
#include "engine/source/scan.hpp"

namespace warplens::study {
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

bool is_of_work(const catalog::ProblemText& problem, const std::string& parameter) {
  const auto has = [&](const catalog::Written& text) { return source::has_word(text.text, {parameter}); };
  return has(problem.operations) || std::ranges::any_of(problem.check, has);
}

// What is computed, such as how many steps of it, has parameters of the problem's own text: with others it is other work. How the
// data lie has too, and may be what steps differ in.
catalog::Values of_same_work(const run::Plan& plan, const catalog::KernelSpec& step) {
  catalog::Values values;
  if (plan.spec.own == nullptr || plan.spec.problem != step.problem) return values;
  for (const catalog::Parameter& one : step.params) {
    const auto own = plan.parameters.find(one.name);
    if (own == plan.parameters.end() || !is_of_work(*plan.spec.own, one.name)) continue;
    if (std::ranges::find(one.values, own->second) != one.values.end()) values.insert(*own);
  }
  return values;
}

}  // namespace

run::Request like(const run::Plan& plan, const catalog::KernelSpec& step, bool in_background) {
  return {.spec = step,
          .parameters = of_same_work(plan, step),
          .sizes = plan.sizes,
          .device = plan.device,
          .threads = in_background ? 1 : 0,
          .background = in_background,
          .nearest = true};
}

std::vector<LadderStep> steps_of_problem(std::span<const catalog::KernelSpec* const> ladder,
                                         const run::Plan& plan, bool in_background) {
  std::vector<LadderStep> steps;
  for (std::size_t i = 0; i < ladder.size(); ++i)
    if (ladder[i]->problem == plan.spec.problem)
      steps.push_back({std::to_string(i + 1), like(plan, *ladder[i], in_background)});
  return steps;
}

void widen(LadderScale& scale, const run::StepCount& count, int shared_banks, const std::string& number) {
  if (count.work <= 0 || !count.missing.empty()) return;
  const double bytes = std::max(count.bytes, 4.0 * shared_banks * count.wavefronts) / count.work;
  if (bytes > scale.bytes) scale = {bytes, number};
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

std::shared_ptr<const StepBefore> step_before(run::Runner& runner, const LadderStep& step,
                                              const catalog::KernelSpec* judged_against,
                                              const std::atomic<bool>& cancel) {
  auto count = runner.count(step.run, cancel);
  if (!count) return nullptr;
  auto before = std::make_shared<StepBefore>(step.number, step.run.spec.title, *std::move(count));
  before->says = says_of_loads(runner, step.run, judged_against, cancel);
  return before;
}

bool has_turns(const LadderTimes& times) {
  return std::ranges::all_of(times.steps, [](const StepTime& step) { return step.turns.has_value(); });
}

double StepTime::sm_cycles() const { return turns ? predicted.cycles * sms * 32 / turns->count : 0; }
double StepTime::warp_cycles() const { return sm_cycles() * predicted.resident_warps; }

LadderTimes ladder_times(explain::Sides& sides, const run::Run& run,
                         std::span<const catalog::KernelSpec* const> ladder, const catalog::Ladder& taught,
                         const measured::RecordedSpeeds& recorded, const std::atomic<bool>& cancel) {
  LadderTimes times;
  const run::Plan& plan = run.plan();
  for (std::size_t at = 0; at < ladder.size() && !cancel; ++at) {
    const catalog::KernelSpec& spec = *ladder[at];
    if (spec.problem != plan.spec.problem) continue;
    const bool is_own = spec.id == plan.spec.id;
    run::Request request = like(plan, spec, true);
    if (is_own) request.parameters = plan.parameters;
    const auto side = sides.of(request, true, cancel);
    if (!side || side->predicted() == nullptr) continue;
    const auto* speed = recorded.find(spec, side->count.sizes, &side->count.parameters);
    times.steps.push_back({.kernel = spec.id,
                           .number = std::to_string(at + 1),
                           .title = spec.title,
                           .predicted = *side->predicted(),
                           .sms = plan.device.sm_count,
                           .recorded = speed != nullptr ? speed->seconds : 0,
                           .turns = catalog::turns_of(taught, at + 1, side->count.parameters, plan.sizes)});
  }
  const auto here = std::ranges::find(ladder, plan.spec.id, [](const auto* spec) { return spec->id; });
  const auto at = static_cast<std::size_t>(here - ladder.begin());
  const auto named = taught.steps.find(at + 1);
  const std::size_t other = named != taught.steps.end() ? named->second.against.value_or(at) : at;
  times.against = std::to_string(other);  // the number of the one before is this index
  if (!has_turns(times))
    for (StepTime& step : times.steps) step.turns.reset();
  return times;
}

}  // namespace warplens::study
