// What a figure needs of a run besides, made by a worker because that takes longer than a frame.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/latest_wins.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// Made: a shared pointer.
template <class Made>
class OfRun {
 public:
  explicit OfRun(std::function<Made(const run::Run&)> make)
      : worker_([make = std::move(make)](const run::SharedRun& run, const auto&,
                                         const auto&) { return make(*run); },
                {}) {}
  // Null while it is being made, and of a preview.
  Made of(const run::SharedRun& run) {
    if (run == nullptr || !run->complete) return nullptr;
    if (run != asked_) {
      asked_ = run;
      made_.reset();
      worker_.submit(run);
    }
    if (auto done = worker_.poll()) made_ = *std::move(done);
    return made_;
  }
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  run::SharedRun asked_;
  Made made_;
  LatestWins<run::SharedRun, Made> worker_;
};

}  // namespace warplens::app
