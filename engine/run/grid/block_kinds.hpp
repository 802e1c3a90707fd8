// Whether the blocks of a grid do the same but for where they stand, so that a few of them speak for all.
//
// Found from the PTX and the launch alone. Every register is followed as a value that is the same in all
// blocks, or as such a value plus a multiple of the block's index. Where all addresses are of these two
// kinds, two blocks whose addresses lie a multiple of a line apart ask for the same sectors and wavefronts;
// and a comparison of such values changes its outcome at most once between two blocks. So where the first,
// the middle and the last block of a box of blocks count the same, the choices of selp among them, all between
// them do.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/emulator/launch.hpp"

namespace warplens::run {

struct BlockKinds {
  // So many blocks apart, in each direction, addresses are the same within their lines.
  std::array<std::uint64_t, 3> period{1, 1, 1};
  std::string
      why_not;  // "line 12 branches on more than a block's place": nothing is known then; empty: it holds
};
// launch: grid, block and arguments are read.
BlockKinds block_kinds(const emulator::Kernel& kernel, const emulator::Launch& launch);

}  // namespace warplens::run
