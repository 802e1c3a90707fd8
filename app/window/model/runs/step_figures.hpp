// What figures of a step show of it in its ladder, made by a worker: the times of all steps, what those that
// come next would gain, and what a warp rounds away beside the step that it is judged against.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/model/runs/of_runs.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/explain/payoff/next_gain.hpp"
#include "viz/figures/rounding/rounding.hpp"
#include "viz/figures/time/waits.hpp"

namespace warplens::app {

class StepFigures {
 public:
  explicit StepFigures(std::shared_ptr<OfRuns> of_runs);

  using Steps = std::vector<const catalog::KernelSpec*>;
  // Both null while they are being made, and of a preview. steps: of the run's ladder.
  figures::SharedLadderTimes times(const run::SharedRun& run, const Steps& steps,
                                   const catalog::Ladder& taught, const measured::RecordedSpeeds& recorded);
  // other: the step that the run's step is judged against; empty if there is none.
  figures::SharedRounding rounding(const run::SharedRun& run, const Steps& steps,
                                   std::optional<std::size_t> other, const figures::Place& shown);
  // What the steps that come next would gain in the run's place; empty while that is being found. later: which
  // they are, asked once a run.
  const std::vector<explain::NextGain>& next(const run::SharedRun& run,
                                             const std::function<std::vector<explain::LaterStep>()>& later);
  std::optional<double> busy_seconds() const {
    if (const auto seconds = times_worker_.busy_seconds()) return seconds;
    return next_worker_.busy_seconds() ? next_worker_.busy_seconds() : rounding_worker_.busy_seconds();
  }

 private:
  struct TimesRequest {
    run::SharedRun run;
    std::vector<catalog::KernelSpec> steps;
    catalog::Ladder taught;
    measured::RecordedSpeeds recorded;
  };
  struct RoundingRequest {
    run::SharedRun run;
    figures::Place place;
    std::optional<catalog::KernelSpec> other;
    std::string number;
  };
  static figures::SharedRounding make(run::Runner& runner, const RoundingRequest& request,
                                      const std::atomic<bool>& cancel);

  struct NextRequest {
    run::Request kernel;
    std::vector<explain::LaterStep> later;
  };

  run::SharedRun timed_, rounded_, next_of_;
  figures::Place rounded_place_;
  figures::SharedLadderTimes times_;
  figures::SharedRounding rounding_;
  std::vector<explain::NextGain> next_;
  LatestWins<TimesRequest, figures::SharedLadderTimes> times_worker_;
  LatestWins<RoundingRequest, figures::SharedRounding> rounding_worker_;
  LatestWins<NextRequest, std::vector<explain::NextGain>> next_worker_;
};

}  // namespace warplens::app
