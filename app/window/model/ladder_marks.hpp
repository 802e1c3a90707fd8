// Where results do not follow the promise of a ladder: a step that was recorded slower than the one before
// it, and a full multiprocessor that does not help. The speeds are recorded; the reason is the model's, or
// the run's own.
#pragma once

#include <optional>
#include <string>

#include "app/window/model/of_run.hpp"
#include "app/window/model/performance_data.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::app {

// One step against the one before it.
struct Slower {
  std::size_t than = 0;  // number of the step before, from 1
  std::string speeds;    // "31,333 GFLOP/s, step 5 has 32,150"
  bool operator==(const Slower&) const = default;
};
// index: of the model's steps. Nothing where it is as quick, or either was not recorded.
std::optional<Slower> slower_than_before(const Model& model, const PerformanceData& performance,
                                         std::size_t index);

// The speed of the chosen step over that of the one before it, however little they differ.
std::optional<figures::MeasuredAgainst> speed_against_before(const Model& model,
                                                             const PerformanceData& performance);

class LadderMarks {
 public:
  explicit LadderMarks(const Model& model);

  // Once a frame: what there is to say of the chosen step.
  void update(const PerformanceData& performance);
  bool is_busy() const { return worker_.busy_seconds() || predictions_.busy_seconds(); }

  const std::optional<Slower>& slower() const { return slower_; }
  // Why, by the counts of both or else as the model has it; nothing while it is being found. Empty where
  // neither has a reason.
  const std::optional<std::string>& reason() const { return reason_; }
  // How long the newest run takes by the model; null while that is being made, and where it has nothing.
  const time::Prediction* predicted() const { return predicted_ && *predicted_ ? &**predicted_ : nullptr; }
  // Of a step whose warps fill the multiprocessors, and that is the slowest of those recorded: what it loses
  // instead. Empty for all others.
  const std::string& full_but_slowest() const { return full_; }

 private:
  using SharedPrediction = std::shared_ptr<const Result<time::Prediction>>;
  struct Request {
    std::shared_ptr<run::Runner> runner;
    run::Request slower, before;
    std::string called;  // the step before
  };
  static std::string find(const Request& request, const std::atomic<bool>& cancel);
  void ask(const PerformanceData& performance, std::size_t index);

  const Model& model_;
  std::optional<Slower> slower_;
  std::optional<std::string> reason_;
  std::string asked_, full_;
  std::string about_;      // what full_ was made for ...
  run::SharedRun looked_;  // ... and of which run
  LatestWins<Request, std::string> worker_;
  SharedPrediction predicted_;
  OfRun<SharedPrediction> predictions_;
};

}  // namespace warplens::app
