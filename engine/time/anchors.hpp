// What ptxas keeps one for one: instructions that are counted in PTX and found again in machine code, by
// line.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::time {

Anchor anchor_of(const Instruction& instruction);
// Of wmma's loads and stores at addresses of any kind: of global memory, for the machine's are such.
Anchor anchor_of(const ptx::Instruction& instruction);

using AnchorKey = std::pair<int, Anchor>;  // source line

// In the kernel's own file: of a function of a header the line that calls it. 0: unknown.
int line_of(const ptx::Function& function, const ptx::Instruction& instruction);
// The machine code of an entry, with the same lines.
Result<std::vector<Instruction>> read_instructions(std::span<const std::byte> cubin,
                                                   const ptx::Function& function);

// How often each instruction of a key was executed, in the order of the PTX; of one that the machine makes several
// accesses of, as often as it makes. Left out: keys of lines on which
// ptxas makes more of the same kind, as of a division.
using Singles = std::map<AnchorKey, std::vector<double>>;
Singles singles_in_ptx(const ptx::Function& function, const emulator::Counters& counters,
                       const std::vector<emulator::VectorizedAccess>& accesses);

}  // namespace warplens::time
