// Blocks of a launch that come to the same words of global memory, however far apart they are in the grid: what a sample of blocks,
// in which each has its neighbours, does not show.
//
// All blocks run once, one after another, and each word keeps the block that stored to it last and the one that read it or changed it by
// an atomic last. That names pairs of blocks to be watched by the checkers, and judges nothing: the values may be the same, or something
// may order the two.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/check/scene.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::run {

using BlockPair = std::array<std::uint64_t, 2>;  // ascending

// A few pairs, of each instruction the first that was found and the first of another distance. launch.blocks are run, and an observer of
// its own is put in place of the launch's. arrays: what is not written is not looked at. What faults, or memory beyond 64 MB of words,
// ends the search, and what was found until then is the answer.
std::vector<BlockPair> blocks_at_one_word(const emulator::Kernel& kernel, emulator::Launch launch,
                                          emulator::GlobalMemory& memory,
                                          const std::vector<check::BufferFacts>& arrays);

}  // namespace warplens::run
