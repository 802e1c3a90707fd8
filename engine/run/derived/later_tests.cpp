#include "engine/run/derived/later_tests.hpp"

#include <algorithm>
#include <utility>

#include "engine/emulator/flow/dominators.hpp"

namespace warplens::run {
namespace {

using emulator::BasicBlock, emulator::Dominators, emulator::Flow;

// A line of the kernel, and of the device function that it calls; that of the kernel again where it calls none.
using Place = std::pair<int, int>;
Place place_of(const Run& run, std::uint32_t pc) { return {run.kernel_lines[pc], run.instructions[pc].line}; }
bool is_in_function(const Place& place) { return place.first != place.second; }

// The line of the test where the source has it behind this place; else 0.
int line_of_later(const Place& test, const Place& own) {
  if (own.first <= 0) return 0;
  if (test.first != own.first) return test.first > own.first ? test.first : 0;
  const bool is_comparable = is_in_function(own) && is_in_function(test);
  return is_comparable && test.second > own.second ? test.second : 0;
}

class Finder {
 public:
  explicit Finder(const Run& run) : run_(run), flow_(run.kernel->function()), dominators_(flow_) {
    const auto& blocks = flow_.blocks();
    ways_in_.assign(blocks.size(), 0);
    for (const BasicBlock& block : blocks)
      for (const std::uint32_t next : block.successors) ++ways_in_[next];
  }

  std::vector<int> find() {
    std::vector<int> tests(run_.instructions.size(), 0);
    const auto& blocks = flow_.blocks();
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      const std::uint32_t branch = blocks[b].end - 1;
      if (!dominators_.reachable(b) || run_.instructions[branch].counters.diverged == 0) continue;
      for (const std::uint32_t side : blocks[b].successors)
        if (ways_in_[side] == 1) mark(tests, branch, side);
    }
    return tests;
  }

 private:
  // All that is executed only after this side of the branch was taken.
  void mark(std::vector<int>& tests, std::uint32_t branch, std::uint32_t side) const {
    const Place test = place_of(run_, branch);
    const auto& blocks = flow_.blocks();
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      if (!dominators_.reachable(b) || !dominators_.dominates(side, b)) continue;
      for (std::uint32_t pc = blocks[b].begin; pc < blocks[b].end; ++pc) {
        const Place own = place_of(run_, pc);
        const int line = line_of_later(test, own);
        if (line > 0 && tests[pc] == 0 && !is_of_loop(own, b, flow_.block_of(branch))) tests[pc] = line;
      }
    }
  }

  // What a loop does between two turns stands in its first line and comes behind the tests of its body.
  bool is_of_loop(const Place& own, std::uint32_t block, std::uint32_t tested) const {
    return std::ranges::any_of(dominators_.loops(), [&](const Dominators::Loop& loop) {
      if (!loop.body.test(block) || !loop.body.test(tested)) return false;
      bool jumps = false;
      loop.body.for_each([&](std::size_t b) {
        const std::uint32_t last = flow_.blocks()[b].end - 1;
        jumps |= run_.kernel->function().code[last].opcode == ptx::Opcode::bra && place_of(run_, last) == own;
      });
      return jumps;
    });
  }

  const Run& run_;
  const Flow flow_;
  const Dominators dominators_;
  std::vector<int> ways_in_;
};

}  // namespace

std::vector<int> later_tests(const Run& run) {
  const bool any = run.kernel != nullptr && std::ranges::any_of(run.instructions, [](const auto& row) {
                     return row.counters.diverged > 0;
                   });
  return any ? Finder(run).find() : std::vector<int>(run.instructions.size(), 0);
}

}  // namespace warplens::run
