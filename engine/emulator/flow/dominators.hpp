// Which blocks every path to a block goes through, and the loops of a function. Source: Cooper, Harvey and
// Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

class Dominators {
 public:
  explicit Dominators(const Flow& flow);

  // Blocks that can be reached, each after its immediate dominator: a walk of the dominator tree.
  const std::vector<std::uint32_t>& preorder() const { return preorder_; }
  bool reachable(std::uint32_t block) const { return first_[block] != 0; }
  // Whether every path from the entry to b goes through a (a itself included). Both reachable.
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    return first_[a] <= first_[b] && last_[b] <= last_[a];
  }
  std::uint32_t immediate(std::uint32_t block) const { return immediate_[block]; }  // the entry's is itself
  // Where the dominance of a block ends: values defined in it meet others there.
  const std::vector<std::uint32_t>& frontier(std::uint32_t block) const { return frontier_[block]; }

  struct Loop {
    std::uint32_t header = 0;
    BitSet body;               // the header included
    bool tests_first = false;  // left from a header that is not also its end: `while`, not `do while`
  };
  const std::vector<Loop>& loops() const { return loops_; }

 private:
  void order();
  void find_immediate();
  void number();
  void find_frontiers();
  void find_loops();
  const Flow& flow_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<std::uint32_t> order_, position_;  // reverse postorder, and each block's place in it
  std::vector<std::uint32_t> immediate_, preorder_;
  std::vector<std::uint32_t> first_,
      last_;  // on entering and leaving a block in the tree's walk; 0: unreachable
  std::vector<std::vector<std::uint32_t>> frontier_;
  std::vector<Loop> loops_;
};

}  // namespace warplens::emulator
