// A run as it may be shown: with what the checkers found in it, or as one that they are still at work on. One of these for each
// place that shows a run; what they found is asked for by what was run, as all that can be known of it (engine/study).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/run/run.hpp"
#include "engine/study/study.hpp"

namespace warplens::app {

// Where a run stopped, as the checkers say it once they know, else as the emulator does; all that speaks of a
// stop takes it from here. Empty: it came to its end.
std::optional<Error> stop_of(const run::Run& judged);

class JudgedRun {
 public:
  // wake: called from the worker when there is something to draw; may be empty.
  JudgedRun(std::shared_ptr<study::Library> library, std::function<void()> wake);

  // The run itself where tests have seen its kernel (run::is_seen), or it is null. Else the checkers are
  // asked once it is complete, unless somebody still moves it (is_still); the newest run wins.
  run::SharedRun of(const run::SharedRun& run, bool is_still);
  bool is_busy() const { return inquiry_.busy_seconds().has_value(); }

 private:
  study::SharedCheck found(bool is_still);

  run::SharedRun run_, shown_;
  bool is_seen_ = true;
  study::SharedCheck known_;  // that shown_ is made of
  study::Inquiry inquiry_;
};

}  // namespace warplens::app
