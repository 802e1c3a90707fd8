// One kernel compiled, run and recorded for a figure in a file.
#pragma once

#include <cstdint>

#include "app/kernel_runner.hpp"

namespace warplens::app {

RunRequest request_of(const RunPlan& plan, const device::Device& device, std::uint64_t block = 0);

// Records block 0 and `block` (a linear index). Errors: what cannot be compiled or run, a fault of the
// kernel, a result that is wrong: no file shows one.
Result<SharedRun> run_for_figure(KernelRunner& runner, const RunPlan& plan, const device::Device& device,
                                 std::uint64_t block);

}  // namespace warplens::app
