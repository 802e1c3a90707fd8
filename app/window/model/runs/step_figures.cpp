#include "app/window/model/runs/step_figures.hpp"

namespace warplens::app {
namespace {

std::vector<const catalog::KernelSpec*> pointers_to(const std::vector<catalog::KernelSpec>& specs) {
  std::vector<const catalog::KernelSpec*> pointers;
  for (const catalog::KernelSpec& spec : specs) pointers.push_back(&spec);
  return pointers;
}

}  // namespace

StepFigures::StepFigures(std::shared_ptr<OfRuns> of_runs)
    : times_worker_(
          [of_runs](const TimesRequest& request, const std::atomic<bool>& cancel, const auto&) {
            return std::make_shared<const figures::LadderTimes>(
                figures::ladder_times(of_runs->sides, *request.run, pointers_to(request.steps),
                                      request.taught, request.recorded, cancel));
          },
          {}),
      rounding_worker_([of_runs](const RoundingRequest& request, const std::atomic<bool>& cancel,
                                 const auto&) { return make(*of_runs->runner, request, cancel); },
                       {}),
      next_worker_(
          [of_runs](const NextRequest& request, const std::atomic<bool>& cancel, const auto&) {
            run::give_way();
            return explain::next_gains(of_runs->sides, request.kernel, request.later, cancel);
          },
          {}) {}

figures::SharedLadderTimes StepFigures::times(const run::SharedRun& run, const Steps& steps,
                                              const catalog::Ladder& taught,
                                              const measured::RecordedSpeeds& recorded) {
  if (run == nullptr || !run->complete) return nullptr;
  if (run != timed_) {
    timed_ = run, times_.reset();
    TimesRequest request{run, {}, taught, recorded};
    for (const catalog::KernelSpec* step : steps) request.steps.push_back(*step);
    times_worker_.submit(std::move(request));
  }
  if (auto done = times_worker_.poll()) times_ = *std::move(done);
  return times_;
}

figures::SharedRounding StepFigures::rounding(const run::SharedRun& run, const Steps& steps,
                                              std::optional<std::size_t> other, const figures::Place& shown) {
  if (run == nullptr || !run->complete) return nullptr;
  const figures::Place of_warp{.block = shown.block, .warp = shown.warp};
  if (run != rounded_ || of_warp != rounded_place_) {
    rounded_ = run, rounded_place_ = of_warp, rounding_.reset();
    RoundingRequest request{run, of_warp, {}, {}};
    if (other) request.other = *steps[*other], request.number = std::to_string(*other + 1);
    rounding_worker_.submit(std::move(request));
  }
  if (auto done = rounding_worker_.poll()) rounding_ = *std::move(done);
  return rounding_;
}

const std::vector<explain::NextGain>& StepFigures::next(
    const run::SharedRun& run, const std::function<std::vector<explain::LaterStep>()>& later) {
  if (run != next_of_) {
    next_of_ = run, next_.clear();
    if (run == nullptr || !run->complete || run->fault) return next_;
    const run::Plan& plan = run->plan();
    next_worker_.submit({{.spec = plan.spec,
                          .parameters = plan.parameters,
                          .sizes = plan.sizes,
                          .device = plan.device,
                          .threads = 1,
                          .background = true},
                         later()});
  }
  if (auto done = next_worker_.poll()) next_ = *std::move(done);
  return next_;
}

figures::SharedRounding StepFigures::make(run::Runner& runner, const RoundingRequest& request,
                                          const std::atomic<bool>& cancel) {
  run::SharedRun other;
  if (request.other) {
    const run::Plan& plan = request.run->plan();
    const auto run = runner.run({.spec = *request.other,
                                 .parameters = {},
                                 .sizes = plan.sizes,
                                 .device = plan.device,
                                 .threads = 1,
                                 .background = true,
                                 .nearest = true},
                                cancel);
    if (run && !(*run)->fault) other = *run;
  }
  return figures::rounding_of(*request.run, request.place, other.get(), request.number);
}

}  // namespace warplens::app
