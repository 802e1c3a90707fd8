// What all parts of the window find out about runs beside them, each thing once: what one of them made, or
// what was made ahead, is at hand for the others.
#pragma once

#include <memory>

#include "app/window/model/runs/judged_run.hpp"
#include "app/window/model/runs/of_run.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/order/block_order.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"

namespace warplens::app {

using SharedPrediction = std::shared_ptr<const Result<time::Prediction>>;
using SharedOrder = std::shared_ptr<const run::BlockOrder>;

// What takes a moment only, and is not cancelled.
inline auto alone(auto make) {
  return [make](const run::Run& run, const auto&) { return make(run); };
}

struct OfRuns {
  std::shared_ptr<run::Runner> runner;
  explain::Sides sides{*runner};
  std::shared_ptr<Checks> checks = std::make_shared<Checks>(
      [all = runner](const run::Plan& plan) { return all->build(run::build_request(plan)); });
  MadeOnce<SharedPrediction> predictions{[](const run::Run& run, const std::atomic<bool>& cancel) {
    return std::make_shared<const Result<time::Prediction>>(time::predict(run, cancel));
  }};
  MadeOnce<explain::SharedPayoffs> payoffs{[this](const run::Run& run, const std::atomic<bool>& cancel) {
    return explain::payoffs_of(run, &sides, cancel);
  }};
  MadeOnce<SharedOrder> orders{alone(run::block_order)};
  MadeOnce<figures::SharedSchedule> schedules{figures::schedule_of};
  MadeOnce<figures::SharedOverWarps> over_warps{figures::over_warps_of};
  MadeOnce<figures::SharedGridTimes> timelines{figures::grid_times_of};
};

// One of these for the run on screen: of_run(model.of_runs(), &OfRuns::orders).
template <class Made>
OfRun<Made> of_run(std::shared_ptr<OfRuns> all, MadeOnce<Made> OfRuns::*which) {
  return OfRun<Made>(
      [all = std::move(all), which](const run::SharedRun& run, const std::atomic<bool>& cancel) {
        return ((*all).*which).of(run, cancel);
      });
}

// What a figure of this kind shows of a run, on the calling thread.
inline void make_for(figures::Reads reads, OfRuns& all, const run::SharedRun& run) {
  if (reads == figures::Reads::schedule) all.schedules.of(run);
  if (reads == figures::Reads::warps) all.over_warps.of(run);
  if (reads == figures::Reads::timeline) all.timelines.of(run);
}

}  // namespace warplens::app
