// Samples of a time -> median and spread, and when there are enough of them.
#pragma once

#include <vector>

#include "engine/base/speed.hpp"
#include "engine/gpu/types.hpp"

namespace warplens::gpu {

// seconds: of one launch, one value a sample. uncertainty: the order statistics that hold the median with 95
// % (Conover, Practical Nonparametric Statistics, 3.2: ranks n/2 -+ 0.98 sqrt(n)), so nothing is assumed of
// the distribution.
Statistics statistics_of(std::vector<double> seconds, int launches_per_sample);

// Whether to stop: the time is up, or the medians of all contenders are known well enough.
bool is_enough(const TimingOptions& options, const std::vector<std::vector<double>>& contenders,
               double elapsed_seconds);

// Launches of one sample: so many that the clock of events (0.5 us) is below a percent of it. 1 where the
// cache is to be cold.
int launches_for(double seconds_of_one, bool cold);

// Samples that are queued before the host waits again: about 20 ms of work, from 1 to 16.
int samples_per_round(double seconds_of_one_sample);

}  // namespace warplens::gpu
