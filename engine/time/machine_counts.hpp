// How often each basic block of the machine code ran. The emulator counts PTX; what ptxas keeps of it is
// counted line by line: arithmetic in fp32, accesses, barriers, shuffles; and branches that are not of loops, way
// by way. Those counts and the flow of the machine code (what enters a block leaves it) are equations; what
// they leave open is taken to be the fewest instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/machine_code.hpp"
#include "engine/time/machine_flow.hpp"

namespace warplens::time {

// With less than this of MachineFlow::least_kept the counts of a flow are not to be believed: of kernels of
// this repository it is 0.5 or more.
inline constexpr double kLeastKept = 0.4;

// counters: of `warps` warps. accesses: Kernel::shared_accesses().
MachineFlow count_blocks(const std::vector<Instruction>& code, const ptx::Function& function,
                         const emulator::Counters& counters,
                         const std::vector<emulator::VectorizedAccess>& accesses, double warps);

// How often so many warps executed each of `code` instructions.
std::vector<double> executed_of(const MachineFlow& flow, std::size_t code, double warps);

}  // namespace warplens::time
