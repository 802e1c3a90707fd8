// What stands in front of a test in the source and is executed behind it, seen in the order in which the lanes of the recorded blocks
// went, whatever the code looks like.
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/claims_check/found.hpp"

namespace warplens::claims_check {
namespace {

// A line of the kernel, and of the device function that it calls.
using Place = std::pair<int, int>;
Place place_of(const run::Run& run, std::uint32_t pc) {
  return {run.kernel_lines[pc], run.instructions[pc].line};
}
// Of one function both, where a line of it can be behind another.
bool stands_behind(const Place& test, const Place& own) {
  if (own.first <= 0) return false;
  if (test.first != own.first) return test.first > own.first;
  return own.first != own.second && test.first != test.second && test.second > own.second;
}

// Of the lanes that execute an instruction, which way a jump sent them when they were there last.
struct Ways {
  bool took = false, passed = false, neither = false;
  bool apart = false;  // some while others of their warp went the other way
  bool is_one() const { return took != passed && !neither; }
};

class Watch {
 public:
  explicit Watch(const run::Run& run) : run_(run), ways_(run.instructions.size()) {
    for (std::uint32_t pc = 0; pc < run.instructions.size(); ++pc)
      if (run.instructions[pc].counters.diverged > 0) jumps_.push_back(pc);
    for (auto& ways : ways_) ways.resize(jumps_.size());
    between_.resize(jumps_.size());
  }

  void see(const trace::BlockLanes& block) {
    std::map<std::uint32_t, Warp> warps;
    for (const trace::LaneStep& step : block.steps) {
      Warp& warp = warps.try_emplace(step.warp, jumps_.size()).first->second;
      warp.came |= step.lanes;
      for (std::size_t j = 0; j < jumps_.size(); ++j) see(step, j, warp);
      warp.last = step;
    }
  }

  // In front of the test of a jump by the source, and behind it one way alone. What a loop does between two turns stands in the line of
  // its own jump, in front of all that is in it.
  bool is_moved(std::uint32_t pc) const {
    for (std::size_t j = 0; j < jumps_.size(); ++j)
      if (ways_[pc][j].is_one() && (ways_[pc][j].apart || is_for_fewer(pc, jumps_[j])) &&
          !between_[j].contains(place_of(run_, pc)) &&
          stands_behind(place_of(run_, jumps_[j]), place_of(run_, pc)))
        return true;
    return false;
  }

 private:
  struct AtJump {
    std::uint32_t took = 0, passed = 0, apart = 0;  // lanes, of the last time that each was there
    std::set<Place> since;                          // other jumps that the warp came to
    bool was_there = false;
  };
  struct Warp {
    explicit Warp(std::size_t jumps) : at(jumps) {}
    std::uint32_t came = 0;
    trace::LaneStep last;
    std::vector<AtJump> at;
  };

  // Where the recorded blocks go one way as a whole, others do not: over all of them fewer lanes come here than to the jump.
  bool is_for_fewer(std::uint32_t pc, std::uint32_t jump) const {
    const auto& all = run_.instructions;
    return jump > 0 && !run_.kernel->function().code[jump - 1].predicated &&
           all[pc].counters.lanes < all[jump - 1].counters.lanes;
  }
  bool is_jump(std::uint32_t pc) const { return run_.kernel->function().code[pc].opcode == ptx::Opcode::bra; }
  // The lanes that come to a jump, of which its guard lets some take it: those of what is executed just before.
  std::uint32_t lanes_before(const trace::LaneStep& step, const Warp& warp) const {
    const bool follows =
        warp.last.pc + 1 == step.pc && !run_.kernel->function().code[warp.last.pc].predicated;
    return follows ? warp.last.lanes : warp.came;
  }

  void see(const trace::LaneStep& step, std::size_t j, Warp& warp) {
    AtJump& at = warp.at[j];
    if (step.pc == jumps_[j]) {
      const std::uint32_t here = lanes_before(step, warp), took = step.lanes, passed = here & ~took;
      if (at.was_there) between_[j].insert(at.since.begin(), at.since.end());
      at.since.clear(), at.was_there = true;
      at.took = (at.took & ~here) | took, at.passed = (at.passed & ~here) | passed;
      at.apart = (at.apart & ~here) | (took != 0 && passed != 0 ? here : 0);
      return;
    }
    if (is_jump(step.pc)) at.since.insert(place_of(run_, step.pc));
    Ways& ways = ways_[step.pc][j];
    ways.took |= (step.lanes & at.took) != 0, ways.passed |= (step.lanes & at.passed) != 0;
    ways.neither |= (step.lanes & ~(at.took | at.passed)) != 0, ways.apart |= (step.lanes & at.apart) != 0;
  }

  const run::Run& run_;
  std::vector<std::uint32_t> jumps_;      // that sent lanes of a warp different ways
  std::vector<std::vector<Ways>> ways_;   // by pc and jump
  std::vector<std::set<Place>> between_;  // two times that a warp comes to each
};

}  // namespace

std::vector<bool> moved_behind_tests(const Subject& s) {
  return once(s, "moved behind tests", [&] {
    std::vector<bool> moved(s.run.instructions.size());
    if (s.run.lanes == nullptr) return moved;  // all lanes do the same
    Watch watch(s.run);
    for (const trace::BlockLanes& block : s.run.lanes->blocks) watch.see(block);
    for (std::uint32_t pc = 0; pc < moved.size(); ++pc) moved[pc] = watch.is_moved(pc);
    return moved;
  });
}

}  // namespace warplens::claims_check
