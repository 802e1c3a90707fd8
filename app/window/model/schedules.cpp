#include "app/window/model/schedules.hpp"

namespace warplens::app {

Schedules::Schedules()
    : worker_([](const run::SharedRun& run, const std::atomic<bool>&,
                 const auto&) { return figures::schedule_of(*run); },
              {}) {}

figures::SharedSchedule Schedules::of(const run::SharedRun& run) {
  if (run == nullptr || !run->complete) return nullptr;
  if (run != asked_) {
    asked_ = run;
    schedule_.reset();
    worker_.submit(run);
  }
  if (auto done = worker_.poll()) schedule_ = *std::move(done);
  return schedule_;
}

}  // namespace warplens::app
