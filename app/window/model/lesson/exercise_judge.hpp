// Judges what is written at a stop of a lesson, beside the window, by the same rules as `warplens grade`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/lesson/stop_context.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/exercise/judge.hpp"

namespace warplens::app {

class ExerciseJudge {
 public:
  struct Request {
    std::shared_ptr<const exercise::Assignment> assignment;
    std::shared_ptr<const catalog::Catalog> catalog;
    std::string text;
  };
  using Answer = Result<exercise::Verdict>;

  // wake: called from the worker when the verdict is there.
  ExerciseJudge(SharedBench bench, std::function<void()> wake);

  void judge(Request request);
  void cancel() { judge_.cancel(); }
  bool is_busy() const { return judge_.busy_seconds().has_value(); }
  // What is new since the last call; also that it took longer than the assignment allows.
  std::optional<Answer> poll();

 private:
  LatestWins<Request, Answer> judge_;
  double most_seconds_ = 0;  // of the request at work
};

// A stop at which something is written, and how far somebody is with it.
struct Writing {
  std::shared_ptr<const exercise::Assignment> assignment;  // null: there is none, or it cannot be read
  std::optional<Error> error = {};
  std::size_t hints = 0;  // that are shown
  std::optional<ExerciseJudge::Answer> verdict = {};
  std::string judged = {};  // the text that the verdict is of
  bool was_done = false;    // a right answer was written, perhaps at another time
  bool is_judged_again = false;

  bool is_done() const { return verdict && *verdict && (**verdict).is_passed(); }
  bool may_look() const {  // at the solution
    return (shows_all_hints() || was_done) && assignment != nullptr && !assignment->solution.empty();
  }
  bool shows_all_hints() const { return assignment != nullptr && hints >= assignment->hints.size(); }
};

}  // namespace warplens::app
