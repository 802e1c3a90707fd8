// Which shared-memory accesses ptxas issued, as its machine code says, in place of what the model of
// vectorized loads expects (vectorized_loads.hpp).
//
// ptxas names the line of the PTX that an instruction was made of. Of accesses that it vectorized this is the
// line of the first load, or of the last store; the others have no instruction (ptxas 13.0: so in the machine
// code of some 390 kernels for sm_90, and of a few for five other architectures). With the widths that stand
// there it is known which instructions of the PTX are issued and how wide; which others belong to them, their
// addresses say.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/flow/vectorized_loads.hpp"

namespace warplens::emulator {

// An LDS, STS, LDG or STG of the machine code.
struct IssuedAccess {
  bool store = false;
  int ptx_line = 0;                       // from 1; 0: unknown
  std::uint8_t width = 0;                 // bytes a lane
  ptx::Space space = ptx::Space::shared;  // or global
  bool behind_exit = false;               // see compile::MachineCode::first_exit
};

// What a kernel's machine code says of its PTX.
struct MachineAccesses {
  std::vector<IssuedAccess> accesses;
  std::vector<int> voted_lines;  // compile::MachineCode::voted_lines
};
// Sets ptx::Instruction::combined.
void mark_combined_atomics(ptx::Function& flat, const std::vector<int>& voted_lines);
// Whether they are set so.
bool are_combined(const ptx::Function& flat, const std::vector<int>& voted_lines);

// Whether `accesses`, one a pc of `flat`, are those that were issued, repeated loads from global memory left
// out (repeated_loads.hpp). Where ptxas copied code (unrolled,
// peeled or rotated a loop, or parted the lanes of a warp) an access may stand there several times, if always
// as wide and all of its basic block as often: each time the block is executed, one of the copies is.
bool are_issued(const ptx::Function& flat, const std::vector<VectorizedAccess>& accesses,
                const std::vector<IssuedAccess>& issued);

// expected: by the model. Where other accesses were issued, those, without the repeated loads from global memory; where it cannot be told which accesses of
// the PTX one of the machine code makes, the model's. Those are loads that ptxas vectorized over the turns of
// a loop that it unrolled, or stores of two branches that it made one.
std::vector<VectorizedAccess> as_issued(const ptx::Function& flat, const SharedLayout& layout,
                                        const std::vector<VectorizedAccess>& expected,
                                        const std::vector<IssuedAccess>& issued);

}  // namespace warplens::emulator
