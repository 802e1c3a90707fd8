#include "engine/time/two_ways.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "engine/emulator/flow/dominators.hpp"
#include "engine/time/machine_loops.hpp"

namespace warplens::time {
namespace {

// Of a warp, on average. lines: of the PTX that only this way leads to.
struct Way {
  double taken = 0;
  std::set<int> lines;
};
struct Branch {
  std::array<Way, 2> ways;
  double splits = 0;
  Branch& operator+=(const Branch& other) {
    for (std::size_t i = 0; i < 2; ++i) {
      ways[i].taken += other.ways[i].taken;
      ways[i].lines.insert(other.ways[i].lines.begin(), other.ways[i].lines.end());
    }
    splits += other.splits;
    return *this;
  }
};

// Blocks of the machine code that end with a branch, by the line of the PTX that it was made of.
using Copies = std::map<int, std::vector<std::size_t>>;
Copies copies_of(const std::vector<Instruction>& code, const std::vector<Block>& blocks) {
  Copies copies;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (const Instruction& last = code[blocks[b].end - 1];
        last.control == Control::branch && last.ptx_line > 0 && blocks[b].edges.size() == 2)
      copies[last.ptx_line].push_back(b);
  return copies;
}

class PtxBranches {
 public:
  PtxBranches(const ptx::Function& function, const emulator::Counters& counters, double warps)
      : function_(function), counters_(counters), warps_(warps), flow_(function), dominators_(flow_) {
    for (const auto& block : flow_.blocks())
      for (const std::uint32_t next : block.successors) ++ways_into_[next];
  }

  // Those of these lines of the PTX, by line. What was inlined more than once is all of it together.
  std::map<int, Branch> at(const Copies& copies) const {
    std::map<int, Branch> branches;
    for (std::uint32_t b = 0; b < flow_.blocks().size(); ++b) {
      const int line = line_at(flow_.blocks()[b].end - 1);
      if (!copies.contains(line)) continue;
      if (const auto branch = branch_of(b)) branches[line] += *branch;
    }
    return branches;
  }

 private:
  int line_at(std::uint32_t pc) const { return function_.code[pc].ptx_line; }
  double of_a_warp(std::uint64_t count) const { return static_cast<double>(count) / warps_; }
  bool is_only_way_into(std::uint32_t block) const { return ways_into_.at(block) == 1; }

  bool stays_in_its_loops(std::uint32_t from, std::uint32_t to) const {
    return std::ranges::none_of(dominators_.loops(), [&](const auto& loop) {
      return loop.body.test(from) && (to == loop.header || !loop.body.test(to));
    });
  }

  std::set<int> lines_behind(std::uint32_t block) const {
    std::set<int> lines;
    for (std::uint32_t b = 0; b < flow_.blocks().size(); ++b) {
      if (!dominators_.reachable(b) || !dominators_.dominates(block, b)) continue;
      for (std::uint32_t pc = flow_.blocks()[b].begin; pc < flow_.blocks()[b].end; ++pc)
        lines.insert(line_at(pc));
    }
    return lines;
  }

  std::optional<Branch> branch_of(std::uint32_t b) const {
    const auto& block = flow_.blocks()[b];
    const auto& counts = counters_.instructions[block.end - 1];
    const auto& to = block.successors;
    if (to.size() != 2 || to[0] == to[1] || !dominators_.reachable(b)) return {};
    if (!stays_in_its_loops(b, to[0]) || !stays_in_its_loops(b, to[1])) return {};
    Branch branch;
    branch.splits = of_a_warp(counts.diverged);
    const double both = of_a_warp(counts.executed + counts.diverged);
    for (std::size_t i = 0; i < 2; ++i) {
      if (!is_only_way_into(to[i])) continue;
      branch.ways[i] = {of_a_warp(counters_.instructions[flow_.blocks()[to[i]].begin].executed),
                        lines_behind(to[i])};
      if (!is_only_way_into(to[1 - i])) branch.ways[1 - i].taken = both - branch.ways[i].taken;
    }
    if (!is_only_way_into(to[0]) && !is_only_way_into(to[1])) return {};
    return branch;
  }

  const ptx::Function& function_;
  const emulator::Counters& counters_;
  double warps_;
  emulator::Flow flow_;
  emulator::Dominators dominators_;
  std::map<std::uint32_t, int> ways_into_;
};

// Instructions that were made of some lines of the PTX.
struct Made {
  int all = 0, guarded = 0;
  void add(const Instruction& instruction) { ++all, guarded += instruction.guarded ? 1 : 0; }
};

class MachineWays {
 public:
  MachineWays(const std::vector<Instruction>& code, const std::vector<Block>& blocks,
              const Unknowns& unknowns)
      : code_(code), blocks_(blocks), unknowns_(unknowns), dominated_(blocks.size()) {
    const auto dominator = dominators_of(blocks);
    for (std::size_t b = 1; b < blocks.size(); ++b)
      if (dominator[b] >= 0) dominated_[static_cast<std::size_t>(dominator[b])].push_back(b);
  }

  // Those that a warp comes to by this edge of a block alone.
  Made behind(std::size_t block, std::size_t edge, const std::set<int>& lines) const {
    Made made;
    const std::uint32_t to = blocks_[block].edges[edge].to;
    if (lines.empty() || to == kLeave || unknowns_.into(to).size() != 1) return made;
    for (std::vector<std::size_t> left{to}; !left.empty();) {
      const std::size_t b = left.back();
      left.pop_back();
      for (std::uint32_t i = blocks_[b].first; i < blocks_[b].end; ++i)
        if (lines.contains(code_[i].ptx_line)) made.add(code_[i]);
      left.insert(left.end(), dominated_[b].begin(), dominated_[b].end());
    }
    return made;
  }
  Made anywhere(const std::set<int>& lines) const {
    Made made;
    for (const Instruction& instruction : code_)
      if (lines.contains(instruction.ptx_line)) made.add(instruction);
    return made;
  }

 private:
  const std::vector<Instruction>& code_;
  const std::vector<Block>& blocks_;
  const Unknowns& unknowns_;
  std::vector<std::vector<std::size_t>> dominated_;  // at once
};

Equation equation_of(double value) { return {{}, value, 1.0 / std::sqrt(std::max(value, 1.0))}; }

// Of all copies together; nothing where a copy does not tell its ways, or has become predicates.
std::vector<Equation> equations_of(const Branch& branch, const std::vector<std::size_t>& copies,
                                   const MachineWays& machine, const Unknowns& unknowns) {
  const auto& ways = branch.ways;
  std::array taken{equation_of(ways[0].taken), equation_of(ways[1].taken)};
  Equation splits = equation_of(branch.splits);
  int guarded = machine.anywhere(ways[0].lines).guarded + machine.anywhere(ways[1].lines).guarded;
  for (const std::size_t block : copies) {
    std::array<Made, 2> made;  // where the first edge is the first way, and where it is the second
    for (std::size_t edge = 0; edge < 2; ++edge)
      for (std::size_t way = 0; way < 2; ++way) {
        const Made each = machine.behind(block, edge, ways[way].lines);
        made[edge ^ way].all += each.all, made[edge ^ way].guarded += each.guarded;
      }
    if (made[0].all == made[1].all) return {};
    const std::size_t first = made[0].all > made[1].all ? 0 : 1;
    guarded -= made[first].guarded;
    for (std::size_t way = 0; way < 2; ++way)
      taken[way].terms.emplace_back(unknowns.edge(block, first ^ way), 1.0);
    if (const int apart = unknowns.apart(block); apart >= 0) splits.terms.emplace_back(apart, 1.0);
  }
  if (guarded > 0) return {};
  std::vector<Equation> equations(taken.begin(), taken.end());
  if (!splits.terms.empty()) equations.push_back(std::move(splits));
  return equations;
}

}  // namespace

std::vector<Equation> equations_of_two_ways(const ptx::Function& function, const emulator::Counters& counters,
                                            const std::vector<Instruction>& code,
                                            const std::vector<Block>& blocks, const Unknowns& unknowns,
                                            double warps) {
  const MachineWays machine(code, blocks, unknowns);
  const Copies copies = copies_of(code, blocks);
  std::vector<Equation> equations;
  for (const auto& [line, branch] : PtxBranches(function, counters, warps).at(copies)) {
    const auto more = equations_of(branch, copies.at(line), machine, unknowns);
    equations.insert(equations.end(), more.begin(), more.end());
  }
  return equations;
}

}  // namespace warplens::time
