// What the performance figures show: recorded results of assets/recorded, and each step counted on the
// emulator.
#pragma once

#include "app/commands/export_options.hpp"
#include "app/workspace.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {

// over_sizes: at all sizes at which the ladder was measured (powers of two where it was not) instead of at
// the one of the options.
Result<figures::PerformanceInput> performance_input(const Workspace& workspace, const KernelOptions& kernel,
                                                    bool over_sizes);

}  // namespace warplens::app
