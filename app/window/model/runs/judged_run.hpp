// A run as it may be shown: with what the checkers found in it, or as one that they are still at work on.
// What they find is asked for by what was run: text, parameters, size and device. One of these for each place
// that shows a run; what one of them learns is at hand for the others. Nothing else in the window runs the
// checkers.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/latest_wins.hpp"
#include "engine/run/checked/other_kernels.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// A report with the findings, or why the checkers could not look.
using SharedCheck = std::shared_ptr<const Result<run::Report>>;

// Where a run stopped, as the checkers say it once they know, else as the emulator does; all that speaks of a
// stop takes it from here. Empty: it came to its end.
std::optional<Error> stop_of(const run::Run& judged);

// The newest checks by what they are of. May be asked by several threads.
class Checks {
 public:
  // compile: for the other kernels of a file, on the thread that asks.
  explicit Checks(run::CompilePlan compile) : compile_(std::move(compile)) {}
  // Runs with the same text, parameters, size and device have the same key.
  static std::string key_of(const run::Run& run);
  SharedCheck kept(const std::string& key);
  // Runs the checkers unless that was done, or waits for the thread that runs them. Null if cancelled.
  SharedCheck of(const run::Run& run, const std::string& key, const std::atomic<bool>& cancel);

 private:
  bool begin(const std::string& key);  // false: somebody is at it
  void end(const std::string& key, SharedCheck check);
  struct Kept {
    std::string key;
    SharedCheck check;
  };
  run::CompilePlan compile_;
  std::mutex mutex_;                  // guards what is below
  std::deque<Kept> kept_;             // the newest first
  std::vector<std::string> at_work_;  // keys
};

class JudgedRun {
 public:
  // wake: called from the worker when there is something to draw; may be empty.
  JudgedRun(std::shared_ptr<Checks> checks, std::function<void()> wake);

  // The run itself where tests have seen its kernel (run::is_seen), or it is null. Else the checkers are
  // asked once it is complete, unless somebody still moves it (is_still); the newest run wins.
  run::SharedRun of(const run::SharedRun& run, bool is_still);
  bool is_busy() const { return worker_.busy_seconds().has_value(); }

 private:
  struct Question {
    run::SharedRun run;
    std::string key;
  };
  void ask(bool is_still);

  std::shared_ptr<Checks> checks_;
  run::SharedRun run_, shown_;
  std::string key_, asked_;                   // key_: of run_, empty where nobody has to ask
  SharedCheck known_;                         // that shown_ is made of
  LatestWins<Question, SharedCheck> worker_;  // last: it ends first
};

}  // namespace warplens::app
