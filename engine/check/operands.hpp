// Operands that an instruction cannot have, where only the values of a run show them: widths of shuffles,
// numbers and counts of barriers; and instructions that end a kernel where nobody debugs it.
#pragma once

#include "engine/check/scene.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::check {

// __shfl_sync: of 1, 2, 4, 8, 16 or 32 lanes.
void check_width(Scene& scene, std::uint32_t block, const emulator::WatchedStep& step);
// bar.sync, bar.red and bar.arrive: one of 16 barriers, for whole warps, of which the block has so many.
void check_barrier(Scene& scene, std::uint32_t block, const emulator::WatchedStep& step);
// __brkpt()
void check_breakpoint(Scene& scene, std::uint32_t block, const emulator::WatchedStep& step);

}  // namespace warplens::check
