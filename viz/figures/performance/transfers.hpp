// What it takes to bring data to a GPU and back, as `warplens transfers` measured it: bandwidth over size by
// kind of host memory, and copies beside kernels in streams.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/figures/performance/performance.hpp"

namespace warplens::figures {

// Of measured::kHostMemories, with commas between them: "pageable,pinned". Nothing where one is none of them.
std::optional<std::vector<std::string>> memories_named(std::string_view list);

// GB/s over bytes, a line for each kind of memory and direction. Empty where nothing was measured.
plot::Plot transfers_plot(const PerformanceInput& input);
// How fast the largest copies go over the bus, and how fast memory of the device is beside it: a bar each.
// Empty as above, and where the memory's speed is not known.
plot::Plot bus_plot(const PerformanceInput& input);
// When each stream copied and worked, from the begin of the whole; a row a stream. Empty as above.
plot::Plot streams_plot(const PerformanceInput& input);
// How long kernels of one block take, in one stream and each in a stream of its own; two bars a number of
// kernels. Empty as above.
plot::Plot concurrent_plot(const PerformanceInput& input);

}  // namespace warplens::figures
