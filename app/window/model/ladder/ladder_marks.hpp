// Compares the chosen step with the step before it, by the recorded speeds of both, and says why they differ:
// by their counts, or by the model of time. Also says what a step loses with its multiprocessors full.
#pragma once

#include <optional>
#include <string>

#include "app/window/model/performance_data.hpp"
#include "engine/study/study.hpp"

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

// The launches of both as they were recorded; from their runs follows why one is quicker.
struct AgainstRequest {
  study::Launches launches;
  Judged judged;
};
// Compares the kernel of the place with the step that it is judged against; empty if either was not recorded.
// step: returns what was recorded of a step at this size, or null.
using RecordedStep = std::function<const measured::RecordedSpeed*(const catalog::KernelSpec& step)>;
std::optional<AgainstRequest> against_request(const LadderPlace& place, const catalog::Values& size,
                                              const RecordedStep& step);

class LadderMarks {
 public:
  explicit LadderMarks(const Model& model);

  // Once a frame: what there is to say of the chosen step.
  void update(const PerformanceData& performance);
  bool is_busy() const { return inquiry_.busy_seconds().has_value(); }
  // said() is being found
  bool is_comparing() const { return inquiry_.is_awaited(study::Fact::against); }

  const std::optional<Slower>& slower() const { return slower_; }
  const std::optional<Judged>& judged() const { return judged_; }
  // The sentence about this comparison, with its reason; null while it is being found, and where a run fails.
  const study::SharedAgainst& said() const { return known_.against; }
  // The predicted time of the newest run; null while it is being made, and if the model has none.
  const time::Prediction* predicted() const {
    return known_.predicted && *known_.predicted ? &**known_.predicted : nullptr;
  }
  const study::SharedPrediction& shared_prediction() const { return known_.predicted; }
  // What the step loses although its warps fill the multiprocessors, if it is the slowest step that was
  // recorded; empty for every other step.
  const std::string& full_but_slowest() const { return full_; }

 private:
  // What the launches are made of, in short.
  struct Asked {
    std::uint64_t version = 0;  // of the performance data
    std::string kernel, device;
    std::optional<Judged> judged;
    bool operator==(const Asked&) const = default;
  };
  const Model& model_;
  std::optional<Slower> slower_;
  std::optional<Judged> judged_;
  std::optional<study::Launches> launches_;  // of judged_
  study::Known known_;
  Asked last_;
  std::string full_;
  std::string about_;      // what full_ was made for ...
  run::SharedRun looked_;  // ... and of which run
  study::Inquiry inquiry_;
};

}  // namespace warplens::app
