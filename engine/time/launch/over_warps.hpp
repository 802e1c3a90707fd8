// How fast a kernel would be with other numbers of warps on an SM: how well they hide each other's waiting.
#pragma once

#include <vector>

#include "engine/time/predict_run.hpp"

namespace warplens::time {

struct AtWarps {
  int blocks = 0, warps = 0;  // on an SM at a time
  double seconds = 0;
};
struct OverWarps {
  std::vector<AtWarps> points;  // ascending; beyond what fits too, as if registers and shared memory sufficed
  std::size_t now = 0;          // of points: as many as fit
  device::Occupancy occupancy;  // what allows no more
  Prediction prediction;        // now
};

// Caches keep what they keep now. Errors: as of predict(); a preview; cancelled.
Result<OverWarps> over_warps(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);

}  // namespace warplens::time
