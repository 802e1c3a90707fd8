// Loops that never end, known long before they have used up the budget: from some place no way leads out of
// the kernel, or what decides about leaving a loop follows from registers alone, and those are as they were a
// turn before.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/check/registers.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::check {

class Loops {
 public:
  explicit Loops(const ptx::Function& function) : function_(function) {}

  // Whether a lane at pc can come to an end of the kernel, by any of its branches.
  bool has_way_out(std::uint32_t pc);
  // The instructions from which it follows whether the loop that a branch back closes goes on: those of the
  // loop that make what its branches compare, and the branches, ascending. Empty: it does not follow from
  // registers alone.
  const std::vector<std::uint32_t>& deciding(std::uint32_t branch, const std::vector<RegisterUse>& uses);

 private:
  std::vector<std::uint32_t> successors(std::uint32_t pc) const;
  std::vector<bool> body_of(std::uint32_t branch) const;
  std::vector<std::uint32_t> find_deciding(std::uint32_t branch, const std::vector<RegisterUse>& uses) const;

  const ptx::Function& function_;
  std::vector<bool> ends_;  // pcs that have a way out; empty: not looked for yet
  std::map<std::uint32_t, std::vector<std::uint32_t>> deciding_;
};

// Two turns of a loop of one warp, compared.
class Turns {
 public:
  // The next two turns of the loop that the branch closes; the list lives as long as this.
  void begin(std::uint32_t branch, const std::vector<std::uint32_t>& deciding);
  bool is_watching() const { return deciding_ != nullptr; }
  // Of the warp's next instruction. True: both turns found the same values wherever something is decided, so
  // that all that follow will find them too.
  bool is_endless(const emulator::WatchedStep& step);

 private:
  void add(const emulator::WatchedStep& step);
  bool closes_turn(const emulator::WatchedStep& step);

  const std::vector<std::uint32_t>* deciding_ = nullptr;
  std::uint32_t branch_ = 0, lanes_ = 0;
  int turns_ = 0;
  std::uint64_t hash_ = 0, before_ = 0;
};

}  // namespace warplens::check
