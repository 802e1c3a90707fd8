// What the performance figures show: recorded results of assets/recorded, and each step counted on the
// emulator.
#pragma once

#include "app/export_options.hpp"
#include "app/workspace.hpp"
#include "viz/figures/performance.hpp"

namespace warplens::app {

// sizes: empty for the one of the options, else each of them for all sides of the problem.
Result<figures::PerformanceInput> performance_input(const Workspace& workspace, const KernelOptions& kernel,
                                                    const std::vector<std::string>& sizes);

}  // namespace warplens::app
