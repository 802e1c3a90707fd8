// Which instructions the compiler moved, or copied, behind a test that the source asks further down: they keep the number of the
// line that they are of, and the lanes at work there are those that pass the test, not those that come to the line.
#pragma once

#include <vector>

#include "engine/run/run.hpp"

namespace warplens::run {

// By pc: the line of the first such test that sent the lanes of a warp different ways, in the kernel's own text or in the device
// function that both are of; 0: none, the instruction is executed where the source has it.
std::vector<int> later_tests(const Run& run);

}  // namespace warplens::run
