// Pieces of PTX that the rewriters insert. Registers of ours begin with %warplens_, which no compiler writes.
#pragma once

#include <string>
#include <string_view>

#include "engine/ptx/program.hpp"

namespace warplens::instrument {

// Sets the u32 register `to` to the linear index of the block; uses the u32 register `spare`.
std::string linear_block(std::string_view to, std::string_view spare);
// The same for the thread in its block.
std::string linear_thread(std::string_view to, std::string_view spare);

// "%p1" or "!%p1"; empty for an instruction without a guard.
std::string guard_of(const ptx::Instruction& instruction, const ptx::Function& function);

// Sets %warplens_here to the lanes that are here together, %warplens_lanes to those of them for which `guard`
// (a predicate, perhaps with a !; empty: always) is true, %warplens_first to the lowest of these (32: none)
// and %warplens_leader where it is this one. No branch: lanes that were together stay together. activemask
// and the vote are what coalesced_threads() of cooperative_groups does. Registers: see lane_registers().
std::string elect_leader(std::string_view guard);
std::string lane_registers();

}  // namespace warplens::instrument
