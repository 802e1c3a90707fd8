// What it takes to bring data to a GPU and back, as `warplens transfers` measured it: bandwidth over size by
// kind of host memory, and copies beside kernels in streams.
#pragma once

#include "viz/figures/performance/performance.hpp"

namespace warplens::figures {

// GB/s over bytes, a line for each kind of memory and direction. Empty where nothing was measured.
plot::Plot transfers_plot(const PerformanceInput& input);
// When each stream copied and worked, from the begin of the whole; a row a stream. Empty as above.
plot::Plot streams_plot(const PerformanceInput& input);

}  // namespace warplens::figures
