// A step of a ladder against another of its steps: how fast both are for the same work, measured or by the
// model of time, and why, by the model's taking both apart (engine/time/apart.hpp). What both count says how
// much more or less there is of a cause, never what the cause is.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/memo.hpp"
#include "engine/explain/explain.hpp"
#include "engine/run/count.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/apart.hpp"

namespace warplens::explain {

// "2.0 times fewer atomics at one address": of one cause that carries half of the predicted change, or of two
// that do together; else that the model finds no single reason, or does not agree with what was measured. Of
// a step that is as fast: what holds both. Empty where either does no work, the device does not run it, or
// they solve different problems: their bytes are no common measure of work.
struct Against {
  Verdict verdict = Verdict::neutral;  // by the speeds, measured or predicted; else by the counts
  std::string speed = {};              // "1.83 times as fast"; empty where it is not known
  std::string words = {};
  std::string brief = {};            // the model's reason in few words; empty where there is none
  bool is_measured = true;           // else the speed is the model's
  std::optional<double> times = {};  // as fast, of `speed`
  // "3 barriers a block where step 4 has 8": of the number that the step is about (KernelSpec::about); empty
  // where that is none, or no other than the other step's.
  std::string about = {};
  std::vector<time::Cause> causes = {};  // that the words name
  Claims claims = {};                    // of all of these words: shares of the change, and each number
  // Whether the words say what makes it quicker or slower: without a speed what they count does.
  bool names_cause() const { return !causes.empty() || (!times && !words.empty()); }
  bool operator==(const Against&) const = default;
};

struct Side {
  run::StepCount count;
  std::shared_ptr<const time::Modelled> modelled = nullptr;  // null: not asked, or the model has nothing
  const time::Prediction* predicted() const { return modelled ? &modelled->prediction : nullptr; }
};
// Counts and predicts steps for callers that must not wait, and keeps what it found. May be asked from
// several threads.
class Sides {
 public:
  // The runner must outlive this.
  explicit Sides(run::Runner& runner);
  // with_time: also predicted. Errors: as Runner::count() and of the prediction.
  Result<Side> of(const run::Request& request, bool with_time, const std::atomic<bool>& cancel);
  // With what the model says where it says something. Errors: as Runner::count().
  Result<Side> with_time(const run::Request& request, const std::atomic<bool>& cancel);
  run::Runner& runner() const { return runner_; }

 private:
  using SharedModelled = std::shared_ptr<const time::Modelled>;
  Result<SharedModelled> model(const run::Request& request, const std::atomic<bool>& cancel);

  run::Runner& runner_;
  Memo<Result<SharedModelled>> modelled_;
};

// speed: over that of the other step, measured. called: the other step. Means nothing where it was cancelled.
Against against(const Side& step, const Side& other, std::optional<double> speed = {},
                const std::string& called = "the other step",
                const std::atomic<bool>& cancel = kNeverCancelled);
bool is_same_problem(const run::StepCount& one, const run::StepCount& other);
// How much of the same work the other does, over the step, of whole launches.
double work_of_other(const run::StepCount& step, const run::StepCount& other);

// The same of two launches: both counted and predicted. speed: as they were measured. Errors: as
// Runner::count(); cancelled.
Result<Against> against(Sides& sides, const run::Request& step, const run::Request& other,
                        std::optional<double> speed, const std::string& called,
                        const std::atomic<bool>& cancel);

}  // namespace warplens::explain
