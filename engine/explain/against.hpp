// A step of a ladder against another of its steps: what both count for the same work, what was measured, and
// why it is no quicker, as the model of time has it.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "engine/explain/explain.hpp"
#include "engine/run/count.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict.hpp"

namespace warplens::explain {

// "1.7 times fewer wavefronts of shared memory". Of a quicker step: what it counts less of by the greatest
// ratio, and beside it what it counts clearly more of. Of a slower one: the traffic that it has more of, else
// the model's reason. Of one that is as fast: what changed, and what holds both. Empty where either does no
// work or the device does not run it.
struct Against {
  Verdict verdict = Verdict::neutral;  // by the speeds where they are known, else by the counts
  std::string speed = {};              // "1.83 times as fast"; empty where it is not known
  std::string words = {};
  std::string brief = {};  // the model's reason in few words; empty where there is none
  bool operator==(const Against&) const = default;
};

struct Side {
  run::StepCount count;
  std::optional<time::Prediction> predicted = {};
};
// Counts and predicts steps for callers that must not wait, and keeps what it found. May be asked from
// several threads.
class Sides {
 public:
  // The runner must outlive this.
  explicit Sides(run::Runner& runner) : runner_(runner) {}
  // with_time: also predicted. Errors: as Runner::count() and predict().
  Result<Side> of(const run::Request& request, bool with_time, const std::atomic<bool>& cancel);
  run::Runner& runner() const { return runner_; }

 private:
  Result<time::Prediction> predict(const run::Request& request, const std::atomic<bool>& cancel);

  run::Runner& runner_;
  std::mutex mutex_;
  std::map<std::string, time::Prediction> predicted_;  // by run::count_key()
};

// speed: over that of the other step, measured. called: the other step.
Against against(const Side& step, const Side& other, std::optional<double> speed = {},
                const std::string& called = "the other step");

// The same of two launches that were measured: both counted, and predicted where the speed needs a reason.
// Errors: as Sides::of().
Result<Against> against_measured(Sides& sides, const run::Request& step, const run::Request& other,
                                 double speed, const std::string& called, const std::atomic<bool>& cancel);

// Whether the model is asked why: measured to be no quicker.
bool needs_reason(double speed);

}  // namespace warplens::explain
