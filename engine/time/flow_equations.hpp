// The flow of machine code as equations: what enters a block leaves it. The unknowns are how often each edge
// is taken.
#pragma once

#include <vector>

#include "engine/time/machine_flow.hpp"
#include "engine/time/solve/least_squares.hpp"

namespace warplens::time {

// The unknowns: every edge, then what guarded instructions did beyond the counts.
class Unknowns {
 public:
  // diverges: warps may take both ways of a branch, until they join.
  explicit Unknowns(const std::vector<Block>& blocks, bool diverges = false)
      : blocks_(blocks), into_(blocks.size()) {
    for (const Block& block : blocks) {
      first_.push_back(count_);
      for (const Edge& edge : block.edges) {
        if (edge.to != kLeave) into_[edge.to].push_back(count_);
        ++count_;
      }
    }
    for (const Block& block : blocks)
      apart_.push_back(diverges && (block.joins || block.edges.size() > 1) ? count_++ : -1);
  }
  int edge(std::size_t block, std::size_t edge) const { return first_[block] + static_cast<int>(edge); }
  const std::vector<int>& into(std::size_t block) const { return into_[block]; }
  int edges_out(std::size_t block) const { return static_cast<int>(blocks_[block].edges.size()); }
  // How often lanes part at its end, or join there; -1: never.
  int apart(std::size_t block) const { return apart_[block]; }
  int count() const { return count_; }
  int add() { return count_++; }

 private:
  const std::vector<Block>& blocks_;
  std::vector<int> first_, apart_;
  std::vector<std::vector<int>> into_;
  int count_ = 0;
};

std::vector<Equation> flow_equations(const std::vector<Block>& blocks, const Unknowns& unknowns);
// Only lanes that parted on a way to it join in a block.
std::vector<Equation> join_equations(const std::vector<Block>& blocks, Unknowns& unknowns);
// Of each unknown, for what the equations leave open: the fewest instructions.
std::vector<double> costs_of(const std::vector<Block>& blocks, const Unknowns& unknowns);
// How often a block runs.
double runs(std::size_t block, const Unknowns& unknowns, const std::vector<double>& x);
void fill(MachineFlow& flow, const Unknowns& unknowns, const std::vector<double>& x);

}  // namespace warplens::time
