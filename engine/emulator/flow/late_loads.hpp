// Loads from global memory that ptxas moves behind the kernel's first guard.
#pragma once

#include <vector>

#include "engine/emulator/flow/issued_accesses.hpp"

namespace warplens::emulator {

// In `x = sums[blockIdx.x]; if (i >= n) return;` the load stands before the guard, and ptxas may load for the lanes
// that stay: warps without one make no request (counters of an H200, whose warps made 2 requests where the PTX has 17).
// Where the machine code has such a load behind its first EXIT, this moves the PTX's behind the branch that leaves.
void move_behind_the_guard(ptx::Function& flat, const std::vector<IssuedAccess>& issued);

}  // namespace warplens::emulator
