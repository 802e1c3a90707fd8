// Which scalar shared loads ptxas makes one of.
//
// ptxas merges loads of adjacent words into one wider load where it can prove the alignment: same base
// register, no barrier, no store to shared memory and no end of the basic block between them; other
// instructions may stand between (seen in the machine code of the kernels in testdata, and in the H100's
// counters).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/emulator/shared_layout.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// What becomes of the shared load at one pc. leader: the pc that stands for its group (itself where it is not
// merged).
struct MergedLoad {
  std::uint32_t leader = 0;
  std::uint8_t width = 0;   // bytes a lane of the merged access; 0: not a shared load
  std::int64_t offset = 0;  // of the merged access from the address register (the leader's)
};

// One entry a pc of `flat`.
std::vector<MergedLoad> merge_shared_loads(const ptx::Function& flat, const SharedLayout& layout);

// Shared loads by width (1, 2, 4, 8, 16, 32 bytes) after merging.
std::array<std::uint32_t, 6> count_by_width(const std::vector<MergedLoad>& merged);

}  // namespace warplens::emulator
