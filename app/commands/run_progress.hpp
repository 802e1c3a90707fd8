// That a run takes long, on a terminal's stderr: a line that is gone when the run has ended.
#pragma once

#include <stop_token>
#include <thread>

namespace warplens::app {

class RunProgress {
 public:
  // Nothing is said in the first seconds, and nothing where stderr is no terminal.
  RunProgress();

 private:
  std::jthread teller_;
};

}  // namespace warplens::app
