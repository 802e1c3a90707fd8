// What the figures of a ladder plot, for `warplens export`: recorded, or counted in the emulator here and
// now.
#pragma once

#include "app/base/workspace.hpp"
#include "app/commands/options.hpp"
#include "engine/base/result.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {

// kernel: a ladder or one step. over_sizes: at all sizes where steps were recorded; else at --size, or where
// most was. Errors: unknown names, what cannot be compiled or run.
Result<figures::PerformanceInput> performance_of(const Workspace& workspace, const KernelOptions& kernel,
                                                 bool over_sizes);

}  // namespace warplens::app
