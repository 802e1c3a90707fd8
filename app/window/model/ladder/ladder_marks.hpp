// Compares the chosen step with the step before it, by the recorded speeds of both, and says why they differ:
// by their counts, or by the model of time. Also says what a step loses with its multiprocessors full.
#pragma once

#include <optional>
#include <string>

#include "app/window/model/performance_data.hpp"
#include "app/window/model/runs/of_runs.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/explain/against.hpp"

namespace warplens::app {

// One step against the one that it is judged against.
struct Slower {
  std::size_t than = 0;  // number of that one, from 1
  std::string speeds;    // "31,333 GFLOP/s, step 5 has 32,150"
  bool operator==(const Slower&) const = default;
};
// index: a position in the model's steps. Empty if the step is as quick, or if either was not recorded.
std::optional<Slower> slower_than_before(const Model& model, const PerformanceData& performance,
                                         std::size_t index);

// The chosen step against another, where both were recorded.
struct Judged {
  std::size_t than = 0;  // number of the other, from 1
  double times = 1;      // the speed over that of the other
  std::string size;      // "4,096"
  bool operator==(const Judged&) const = default;
};

// The requests of both runs as they were recorded; from their runs follows why one is quicker.
struct AgainstRequest {
  run::Request step, other;
  Judged judged;
};
// Compares the kernel of the place with the step that it is judged against; empty if either was not recorded.
// step: returns what was recorded of a step at this size, or null.
using RecordedStep = std::function<const measured::RecordedSpeed*(const catalog::KernelSpec& step)>;
std::optional<AgainstRequest> against_request(const LadderPlace& place, const catalog::Values& size,
                                              const RecordedStep& step);
// The result is empty if a run fails or is cancelled.
explain::Against find_against(const AgainstRequest& request, explain::Sides& sides,
                              const std::atomic<bool>& cancel);

class LadderMarks {
 public:
  explicit LadderMarks(const Model& model);

  // Once a frame: what there is to say of the chosen step.
  void update(const PerformanceData& performance);
  bool is_busy() const { return worker_.busy_seconds() || predictions_.busy_seconds(); }
  bool is_comparing() const { return worker_.busy_seconds().has_value(); }  // said() is being found

  const std::optional<Slower>& slower() const { return slower_; }
  const std::optional<Judged>& judged() const { return judged_; }
  // The sentence about this comparison, with its reason; empty while it is being found.
  const std::optional<explain::Against>& said() const { return said_; }
  // The predicted time of the newest run; null while it is being made, and if the model has none.
  const time::Prediction* predicted() const { return predicted_ && *predicted_ ? &**predicted_ : nullptr; }
  const SharedPrediction& shared_prediction() const { return predicted_; }
  // What the step loses although its warps fill the multiprocessors, if it is the slowest step that was
  // recorded; empty for every other step.
  const std::string& full_but_slowest() const { return full_; }

 private:
  // What ask() reads, in short.
  struct Asked {
    std::uint64_t version = 0;  // of the performance data
    std::string kernel, device;
    std::optional<Judged> judged;
    bool operator==(const Asked&) const = default;
  };
  void ask(const PerformanceData& performance);

  const Model& model_;
  std::optional<Slower> slower_;
  std::optional<Judged> judged_;
  std::optional<explain::Against> said_;
  Asked last_;
  std::string asked_, full_;
  std::string about_;      // what full_ was made for ...
  run::SharedRun looked_;  // ... and of which run
  LatestWins<AgainstRequest, explain::Against> worker_;
  SharedPrediction predicted_;
  OfRun<SharedPrediction> predictions_;
};

}  // namespace warplens::app
