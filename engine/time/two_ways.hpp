// Branches of the PTX found again in the machine code: how many warps go each way was counted, where lanes of
// a warp may go both.
#pragma once

#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/flow_equations.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::time {

// Not of branches that go round a loop, or out of one: machine code has fewer of those where it unrolls it. Nor
// of those that are predicates in a part of their copies. warps: as of count_blocks().
std::vector<Equation> equations_of_two_ways(const ptx::Function& function, const emulator::Counters& counters,
                                            const std::vector<Instruction>& code,
                                            const std::vector<Block>& blocks, const Unknowns& unknowns,
                                            double warps);

}  // namespace warplens::time
