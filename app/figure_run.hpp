// One kernel compiled, run and recorded for a figure in a file.
#pragma once

#include <cstdint>

#include "app/kernel_runner.hpp"

namespace warplens::app {

RunRequest request_of(const RunPlan& plan, const device::Device& device, std::uint64_t block = 0);

// Records block 0 and `block` (a linear index). Errors: what cannot be compiled or run, a fault of the
// kernel.
Result<SharedRun> run_for_figure(KernelRunner& runner, const RunPlan& plan, const device::Device& device,
                                 std::uint64_t block);

// Error: a result that is wrong. No file shows one.
Status check_result(const RunPlan& plan, const KernelRun& run);

}  // namespace warplens::app
