// The lanes of a few blocks, instruction by instruction: they run once more, watched.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/problem/problem.hpp"
#include "engine/trace/lanes.hpp"

namespace warplens::run {

// Whether there is anything to see: threads that pass values on by shuffles, or instructions that some lanes
// of a warp do not execute. counters: of a run.
bool lanes_differ(const ptx::Function& function, const emulator::Counters& counters);

// blocks: linear indices, ascending; they run alone, one after the other. Nothing where that would say less
// than the whole run or takes more memory than a picture is worth, and of a kernel that stops there.
std::shared_ptr<const trace::LaneTrace> watch_lanes(const emulator::Kernel& kernel,
                                                    const problem::Instance& instance,
                                                    const catalog::LaunchShape& shape,
                                                    std::vector<std::uint64_t> blocks,
                                                    const std::atomic<bool>* cancel = nullptr);

}  // namespace warplens::run
