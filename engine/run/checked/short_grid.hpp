// A grid of the file's own that does not cover what the kernel is to write.
#pragma once

#include <optional>

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Whether a wrong result is no more than a grid that does not cover the last elements: tries the launch with one more block along
// x, y or both, and with twice as many. False too where that would take long.
bool is_right_with_more_blocks(const Job& job, const emulator::Kernel& kernel);

// Where nobody has said what is right: elements of an output that nothing wrote, and that more blocks write without leaving
// their arrays. A kernel that guards its elements and is launched with too few threads.
std::optional<check::Finding> elements_of_more_blocks(const Job& job, const emulator::Kernel& kernel,
                                                      const Run& run);

}  // namespace warplens::run
