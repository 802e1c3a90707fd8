// Whether the shared-memory accesses of the machine code are those that the model of vectorized loads
// expects.
#pragma once

#include "engine/compile/cubin.hpp"
#include "engine/emulator/flow/vectorized_loads.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::run {

// Compared for each source line and each of LDS and STS: as many of each width as expected. Where ptxas
// copied a loop (unrolled, peeled or rotated it), each of the loop's basic blocks may stand there several
// times, whole: the counts must be a sum of blocks, each at least once, those outside loops exactly once. So
// a width too many, one missing, or other shares of the widths than in any number of copies is a mismatch.
bool vectorized_as_expected(const ptx::Function& function,
                            const std::vector<emulator::VectorizedAccess>& expected,
                            const compile::MachineCode& machine_code);

}  // namespace warplens::run
