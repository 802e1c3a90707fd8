#include "app/commands/export_ladder.hpp"

#include <algorithm>
#include <utility>

#include "app/commands/choose.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/measured/recorded_speeds.hpp"

namespace warplens::app {

const catalog::KernelSpec* TaughtStep::other() const {
  const auto at = step.other();
  return at ? step.steps[*at] : nullptr;
}

std::string TaughtStep::number_of_other() const {
  const auto at = step.other();
  return at ? std::to_string(*at + 1) : "";
}

std::shared_ptr<const TaughtStep> taught_step(const Workspace& workspace, const run::Plan& plan) {
  auto taught = std::make_shared<TaughtStep>();
  const std::string ladder = ladder_of(plan.spec.id);
  auto chosen = choose_kernels(workspace, ladder);
  taught->is_of_ladder = static_cast<bool>(chosen);
  taught->kernels = chosen ? std::move(chosen->kernels) : std::vector{plan.spec};
  if (const auto recorded = workspace.recorded()->speeds(plan.device.id)) taught->recorded = **recorded;
  study::StepOf& step = taught->step;
  for (const catalog::KernelSpec& spec : taught->kernels) step.steps.push_back(&spec);
  step.here = static_cast<std::size_t>(std::ranges::find(step.steps, plan.spec.id, &catalog::KernelSpec::id) -
                                       step.steps.begin());
  step.recorded = &taught->recorded;
  const catalog::Ladders ladders = catalog::read_ladders(workspace.home());
  step.taught = ladders.of(ladder);
  if (taught->is_of_ladder)
    step.judged_against = [ladders, ladder, steps = step.steps](std::size_t index) {
      return catalog::judged_against(ladders, ladder, steps, index);
    };
  return taught;
}

namespace {

// Of both at the plan's size. speed: as both were measured.
study::SharedAgainst said_of(study::Library& library, const run::SharedRun& run,
                             const catalog::Values& parameters, const TaughtStep& taught,
                             std::optional<double> speed) {
  const run::Plan& plan = run->plan();
  study::Launches launches{.step = study::like(plan, plan.spec),
                           .other = study::like(plan, *taught.other()),
                           .times = speed,
                           .called = "step " + taught.number_of_other()};
  launches.step.parameters = parameters, launches.step.nearest = false;
  return library.now({.run = run, .launches = &launches}, study::Fact::against).against;
}

// How fast the step is over the other one, where both were measured at this size with the values of their files.
std::optional<double> measured_speed(const run::Plan& plan, const TaughtStep& taught) {
  const auto side = [&](const catalog::KernelSpec& spec) {
    const catalog::Values own = catalog::default_values(spec);
    return taught.recorded.find(spec, plan.sizes, &own);
  };
  const auto *step = side(plan.spec), *its = side(*taught.other());
  if (step == nullptr || its == nullptr) return std::nullopt;
  const measured::Rate rate = rate_of(*step), base = rate_of(*its);
  if (rate.unit != base.unit || base.value <= 0) return std::nullopt;
  return rate.value / base.value;
}

}  // namespace

std::optional<figures::AgainstStep> against(study::Library& library, const run::SharedRun& run,
                                            const TaughtStep& taught, const study::StepBefore* before) {
  if (taught.other() == nullptr) return std::nullopt;
  const run::Plan& plan = run->plan();
  if (plan.parameters == catalog::default_values(plan.spec))
    if (const auto speed = measured_speed(plan, taught))
      if (const auto said = said_of(library, run, {}, taught, speed))
        return figures::AgainstStep{taught.number_of_other(), measured::short_size(plan.sizes), *said, {}};
  if (before == nullptr) return std::nullopt;
  const auto said = said_of(library, run, plan.parameters, taught, {});
  if (said == nullptr) return std::nullopt;
  return figures::AgainstStep{before->number, "", *said, before->says};
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
