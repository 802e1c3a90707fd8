// Pieces of PTX that the rewriters insert. Registers of ours begin with %warplens_, which no compiler writes.
#pragma once

#include <string>

#include "engine/ptx/program.hpp"

namespace warplens::instrument {

// Sets the u32 register `to` to the linear index of the block; uses the u32 register `spare`.
std::string linear_block(std::string_view to, std::string_view spare);
// The same for the thread in its block.
std::string linear_thread(std::string_view to, std::string_view spare);

// Sets %warplens_here to the lanes that are here together, %warplens_lanes to those of them whose guard lets
// the instruction happen, %warplens_first to the lowest of these (32: none) and %warplens_leader where it is
// this one. No branch: lanes that were together stay together. activemask and vote as in the
// coalesced_threads() of cooperative_groups. Registers: see lane_registers().
std::string elect_leader(const ptx::Instruction& instruction, const ptx::Function& function);
std::string lane_registers();

}  // namespace warplens::instrument
