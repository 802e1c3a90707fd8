// Loops of machine code, and the equations that loops add to those of the flow.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "engine/time/flow_equations.hpp"

namespace warplens::time {

// The block that every way to each block goes through last (Cooper, Harvey, Kennedy 2001); -1: not reached.
std::vector<int> dominators_of(const std::vector<Block>& blocks);

struct Loop {
  std::size_t head = 0;
  std::vector<bool> body;
};
// Natural loops; those with one head are one.
std::vector<Loop> loops_of(const std::vector<Block>& blocks, const std::vector<int>& dominator);

// A loop that turns without being entered obeys the flow. Such a one is entered as often as what leads to it
// runs. Returns whether an equation was added.
bool enter_loops(const std::vector<Block>& blocks, const std::vector<Loop>& loops,
                 const std::vector<int>& dominator, const Unknowns& unknowns, const std::vector<double>& x,
                 std::set<std::size_t>& entered, std::vector<Equation>& equations);

}  // namespace warplens::time
