// What a device asks of a launch beside what it asks of its shape: kernels that it refuses to start.
#pragma once

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// __launch_bounds__ that the block exceeds, more registers than a block can have, clusters that do not divide
// the grid, instructions that the device does not have.
check::Findings launch_findings(const Job& job, const emulator::Kernel& kernel);

}  // namespace warplens::run
