// A step counted for figures of many steps, and what the model of time has of it.
#pragma once

#include <atomic>

#include "engine/explain/against.hpp"
#include "engine/run/count.hpp"
#include "engine/run/runner.hpp"

namespace warplens::figures {

// A count, and with_time, which takes a few times as long, what the model of time has of it: how long a launch takes, and what
// passes L2 (0 where no rate of L2 is known); 0 where it has nothing.
struct ModelledCount {
  run::StepCount count;
  double seconds = 0, l2_bytes = 0;
  explain::Explanation limit = {};  // as PerformancePoint::limit
};
// Errors: as of Runner::count().
Result<ModelledCount> modelled_count(explain::Sides& sides, const run::Request& request, bool with_time,
                                     const std::atomic<bool>& cancel);
// As PerformancePoint::limit, of a prediction of that count. Empty where there is none (null).
explain::Explanation limit_of(const device::Device& device, const run::StepCount& count,
                              const time::Prediction* predicted);
}  // namespace warplens::figures
