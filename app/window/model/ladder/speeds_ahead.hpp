// What the model of time predicts of the kernel on screen with other values of its sliders, found while nobody
// waits for anything: a moved slider shows its speed at once.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/model/ahead.hpp"
#include "engine/problem/work.hpp"
#include "engine/time/predict.hpp"

namespace warplens::app {

// What is predicted of one kernel, by its values. May be used by several threads.
class PredictedSets {
 public:
  using Known = std::shared_ptr<const Result<time::Prediction>>;
  void note(const catalog::Values& values, Result<time::Prediction> prediction);
  Known find(const catalog::Values& values) const;  // null: nothing is known of it
  // Seconds that these values may take by those that are known: from the nearest set of values, for each value
  // that differs, how the time changes where that alone does. Empty where that is not known of each: the time of
  // a neighbour is no estimate (40 % off in the median of matmul 3's, 3 times at worst).
  std::optional<double> about(const catalog::Values& values) const;
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::map<catalog::Values, Known> known_;
};

class SpeedsAhead {
 public:
  explicit SpeedsAhead(const Model& model);

  // Once a frame. predicted: of the model's run, see LadderMarks.
  void update(const std::shared_ptr<const Result<time::Prediction>>& predicted);
  // Once a frame too, where nobody waits for anything, after all that may ask for something.
  void look_ahead();
  // Of the kernel with the values that are set; null where it is not known yet, and where nothing can be
  // predicted of them.
  const time::Prediction* now() const;
  bool is_waiting() const;        // for now()
  const Error* why_none() const;  // why nothing can be predicted of them; null: it can, or is not known yet
  // The seconds that it may take, from other values, where now() is not known.
  std::optional<double> about() const;
  // Of it with other values, as far as they are known; empty before the first update().
  const PredictedSets& sets() const;
  const problem::Work& work() const;  // of a launch; 0: not known
  // What its speeds are of: kernel, text, size, device. Empty before the first update().
  const std::string& place() const;
  bool is_busy() const { return worker_.busy_seconds().has_value(); }

 private:
  struct Place {
    std::string name;
    problem::Work work = {};
    std::shared_ptr<PredictedSets> sets = std::make_shared<PredictedSets>();
  };
  struct Ask {
    run::SharedRun run;
    std::vector<catalog::Values> sets;
    std::shared_ptr<PredictedSets> known;
  };
  void follow();
  bool is_run_there() const;

  const Model& model_;
  std::deque<Place> places_;  // the newest first, which is that of the state
  catalog::Values values_;    // of the state
  SliderMove moved_;
  PredictedSets::Known now_;
  bool is_asked_ = false;  // for what is near these values
  LatestWins<Ask, bool> worker_;
};

}  // namespace warplens::app
