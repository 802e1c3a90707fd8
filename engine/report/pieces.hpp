// The pieces of a recorded access, for drawing: engine/analysis/pieces.hpp takes it apart.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/analysis/pieces.hpp"
#include "engine/ptx/program.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::report {

analysis::WarpAccess warp_access(const trace::Access& access);

// Lanes that use the shared memory of another block of the cluster: see emulator::lanes_elsewhere().
std::uint32_t lanes_elsewhere(const trace::Access& access);
// The offset in shared memory in the block whose memory it is: an address without its rank.
std::uint64_t offset_in_block(std::uint64_t shared_address);
// The ranks of these blocks in the cluster, ascending.
std::vector<std::uint32_t> ranks_elsewhere(const trace::Access& access);

struct AccessPieces {
  // Shared memory has `shared`, global and local memory `global`. Local memory is interleaved by lanes: its
  // sectors are those of the warp's own area.
  bool is_shared = false;
  std::uint32_t elsewhere = 0;  // those of lanes_elsewhere() that count nothing: they are in no piece
  analysis::SharedPieces shared;
  analysis::GlobalPieces global;
  // Of constant memory, whose cache gives one word at a time to all lanes that ask for it: the lanes of each turn, one for each
  // different address. They are its units.
  std::vector<std::uint32_t> turns;
  // What the emulator counts for it: wavefronts or sectors. Equal to the sum over the pieces where exact.
  int units = 0, ideal = 0;
  bool exact = true;  // false: the rule for this instruction is a fit, see analysis/other_access.hpp
};
// instruction: row access.pc of Kernel::function().code. An asynchronous copy is two accesses in a trace, its
// source and its target; the target counts nothing.
AccessPieces access_pieces(const trace::Access& access, const ptx::Instruction& instruction,
                           const device::Device& device);

}  // namespace warplens::report
