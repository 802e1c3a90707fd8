#include "app/commands/export_ladder.hpp"

#include <algorithm>

#include "app/commands/choose.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/explain/against.hpp"
#include "engine/measured/recorded_speeds.hpp"

namespace warplens::app {

std::optional<OtherStep> step_to_judge_against(const Workspace& workspace, const std::string& id) {
  const std::string ladder = ladder_of(id);
  const auto chosen = choose_kernels(workspace, ladder);
  if (!chosen) return std::nullopt;
  std::vector<const catalog::KernelSpec*> steps;
  for (const catalog::KernelSpec& spec : chosen->kernels) steps.push_back(&spec);
  const auto here = std::ranges::find(steps, id, &catalog::KernelSpec::id) - steps.begin();
  const auto other = catalog::judged_against(catalog::read_ladders(workspace.home()), ladder, steps,
                                             static_cast<std::size_t>(here));
  if (!other) return std::nullopt;
  return OtherStep{std::to_string(*other + 1), *steps[*other]};
}

std::shared_ptr<const figures::StepBefore> step_before(const Workspace& workspace, const OtherStep& other,
                                                       const run::Plan& plan, run::Runner& runner) {
  const auto its = step_to_judge_against(workspace, other.spec.id);
  run::Request request{.spec = other.spec, .parameters = {}, .sizes = plan.sizes, .device = plan.device};
  request.nearest = true;
  return figures::step_before(runner, {other.number, request}, its ? &its->spec : nullptr, false);
}

namespace {

// At a size. speed: as both were measured.
Result<explain::Against> said_of(const run::Plan& plan, const catalog::Values& parameters,
                                 const catalog::Values& sizes, const OtherStep& other,
                                 std::optional<double> speed, run::Runner& runner) {
  explain::Sides sides(runner);
  run::Request step{.spec = plan.spec, .parameters = parameters, .sizes = sizes, .device = plan.device};
  run::Request its = step;
  its.spec = other.spec, its.parameters = {}, its.nearest = true;
  return explain::against(sides, step, its, speed, "step " + other.number, false);
}

// As both were measured at this size with the values of their files; empty if they were not.
std::optional<figures::AgainstStep> as_measured(const Workspace& workspace, const run::Plan& plan,
                                                const OtherStep& other, run::Runner& runner) {
  const auto recorded = recorded_speeds(workspace, plan.device.id);
  if (!recorded) return std::nullopt;
  const auto side = [&](const catalog::KernelSpec& spec) {
    const catalog::Values own = catalog::default_values(spec);
    return recorded->find(spec, plan.sizes, &own);
  };
  const auto *step = side(plan.spec), *its = side(other.spec);
  if (step == nullptr || its == nullptr) return std::nullopt;
  const measured::Rate rate = rate_of(*step), base = rate_of(*its);
  if (rate.unit != base.unit || base.value <= 0) return std::nullopt;
  const auto said = said_of(plan, {}, plan.sizes, other, rate.value / base.value, runner);
  if (!said) return std::nullopt;
  return figures::AgainstStep{other.number, measured::short_size(plan.sizes), *said, {}};
}

}  // namespace

std::shared_ptr<const figures::LadderScale> scale_of(const Workspace& workspace, const run::Plan& plan,
                                                     run::Runner& runner) {
  const auto chosen = choose_kernels(workspace, ladder_of(plan.spec.id));
  if (!chosen) return nullptr;
  std::vector<const catalog::KernelSpec*> ladder;
  for (const catalog::KernelSpec& spec : chosen->kernels) ladder.push_back(&spec);
  return std::make_shared<const figures::LadderScale>(
      figures::ladder_scale(runner, figures::steps_of_problem(ladder, plan), false));
}

std::optional<figures::AgainstStep> against(const Workspace& workspace, const run::Run& run,
                                            const std::optional<OtherStep>& other,
                                            const figures::StepBefore* before, run::Runner& runner) {
  if (!other) return std::nullopt;
  if (run.plan().parameters == catalog::default_values(run.plan().spec))
    if (auto measured = as_measured(workspace, run.plan(), *other, runner)) return measured;
  if (before == nullptr) return std::nullopt;
  const run::Plan& plan = run.plan();
  const auto said = said_of(plan, plan.parameters, plan.sizes, *other, {}, runner);
  if (!said) return std::nullopt;
  return figures::AgainstStep{before->number, "", *said, before->says};
}

std::shared_ptr<const figures::LadderTimes> times_of(const Workspace& workspace, const run::Run& run,
                                                     run::Runner& runner) {
  const std::string ladder = ladder_of(run.plan().spec.id);
  const auto chosen = choose_kernels(workspace, ladder);
  std::vector<const catalog::KernelSpec*> steps;
  if (chosen)
    for (const catalog::KernelSpec& spec : chosen->kernels) steps.push_back(&spec);
  else
    steps.push_back(&run.plan().spec);
  explain::Sides sides(runner);
  const auto recorded = recorded_speeds(workspace, run.device().id);
  return std::make_shared<const figures::LadderTimes>(
      figures::ladder_times(sides, run, steps, catalog::read_ladders(workspace.home()).of(ladder),
                            recorded ? *recorded : measured::RecordedSpeeds{}, false));
}

figures::SharedRounding rounding_of(const run::Run& run, const figures::Place& place,
                                    const std::optional<OtherStep>& other, run::Runner& runner) {
  if (!other) return figures::rounding_of(run, place);
  const auto before = runner.run({.spec = other->spec,
                                  .parameters = {},
                                  .sizes = run.plan().sizes,
                                  .device = run.plan().device,
                                  .nearest = true},
                                 false);
  const bool ran = before && !(*before)->fault;
  return figures::rounding_of(run, place, ran ? before->get() : nullptr, other->number);
}

std::string named_figure(const ExportOptions& options, const Workspace& workspace) {
  if (options.figure != kOpeningFigure) return options.figure;
  const std::string& kernel = options.kernel.kernel;
  const auto chosen = choose_kernels(workspace, ladder_of(kernel));
  if (!chosen) return std::string(catalog::Ladder{}.opens);
  const auto here = std::ranges::find(chosen->kernels, kernel, &catalog::KernelSpec::id);
  return catalog::read_ladders(workspace.home())
      .of(ladder_of(kernel))
      .opens_of(static_cast<std::size_t>(here - chosen->kernels.begin()) + 1);
}

}  // namespace warplens::app
