// What the model of time schedules on one SM for a run, made by a worker for the figure that shows it.
#pragma once

#include <optional>

#include "engine/base/latest_wins.hpp"
#include "engine/run/run.hpp"
#include "viz/figures/time/time.hpp"

namespace warplens::app {

class Schedules {
 public:
  Schedules();
  // Null while it is being made, and of a preview.
  figures::SharedSchedule of(const run::SharedRun& run);
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  run::SharedRun asked_;
  figures::SharedSchedule schedule_;
  LatestWins<run::SharedRun, figures::SharedSchedule> worker_;
};

}  // namespace warplens::app
