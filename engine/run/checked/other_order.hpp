// What a race does to the result: the launch once more, in another order.
#pragma once

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Says it of each race among them: how many elements of the outputs are others where the blocks, and the
// warps of each, run from the last to the first. Both orders run on one thread, so the words are the same in
// every run. Where the order changes nothing that is said, or that it is wrong in both, of races between
// warps and blocks alone: those within a warp need an order of lanes. Kernels without a race are not run
// again.
void add_effect_of_order(const Job& job, const emulator::Kernel& kernel, Report& report);

}  // namespace warplens::run
