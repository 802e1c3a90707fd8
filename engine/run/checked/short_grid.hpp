// Whether a wrong result is no more than a grid that does not cover the last elements.
#pragma once

#include "engine/run/run.hpp"

namespace warplens::run {

// Tries the launch with one more block along x, y or both, and with twice as many. False too where that would
// take long.
bool is_right_with_more_blocks(const Job& job, const emulator::Kernel& kernel);

}  // namespace warplens::run
