#include "engine/time/machine_counts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "engine/time/anchors.hpp"
#include "engine/time/loop_match.hpp"
#include "engine/time/machine_loops.hpp"
#include "engine/time/two_ways.hpp"

namespace warplens::time {
namespace {

using Key = AnchorKey;

std::vector<Block> blocks_of(const std::vector<Instruction>& code) {
  std::set<std::uint32_t> starts{0};
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const auto control = code[i].control;
    if (control == Control::branch) starts.insert(code[i].target);
    if (control == Control::branch || control == Control::exit || control == Control::join)
      starts.insert(i + 1);
  }
  std::vector<Block> blocks;
  for (auto start = starts.begin(); start != starts.end() && *start < code.size(); ++start) {
    const auto next = std::next(start);
    const auto end = static_cast<std::uint32_t>(code.size());
    Block block;
    block.first = *start;
    block.end = next == starts.end() ? end : std::min(*next, end);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void add_edges(std::vector<Block>& blocks, const std::vector<Instruction>& code) {
  std::map<std::uint32_t, std::uint32_t> block_at;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) block_at[blocks[b].first] = b;
  const auto goes_to = [&](Block& from, std::uint32_t instruction) {
    const auto found = block_at.find(instruction);
    from.edges.push_back({found == block_at.end() ? kLeave : found->second, 0});
  };
  for (Block& block : blocks) {
    const Instruction& last = code[block.end - 1];
    block.joins = last.control == Control::join;
    if (last.control == Control::exit) block.edges.push_back({kLeave, 0});
    if (last.control == Control::branch) goes_to(block, last.target);
    const bool ends = last.control == Control::exit || last.control == Control::branch;
    if (!ends || last.guarded) goes_to(block, block.end);
  }
}

struct Anchors {
  std::vector<std::size_t> blocks;      // of each, in the order of the machine code
  std::map<std::size_t, int> in_block;  // block -> how many
  bool guarded = false;
};

std::map<Key, Anchors> anchors_of(const std::vector<Block>& blocks, const std::vector<Instruction>& code) {
  std::map<Key, Anchors> anchors;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::uint32_t i = blocks[b].first; i < blocks[b].end; ++i) {
      const Anchor anchor = anchor_of(code[i]);
      if (anchor == Anchor::none) continue;
      Anchors& entry = anchors[{code[i].line, anchor}];
      ++entry.in_block[b];
      entry.blocks.push_back(b);
      entry.guarded = entry.guarded || code[i].guarded;
    }
  return anchors;
}

// The sums of what lines did, as the emulator counted them. What guarded instructions executed beyond it is
// an unknown of its own.
std::vector<Equation> sums_of_lines(const std::map<Key, Anchors>& anchors, const Singles& singles,
                                    double warps, Unknowns& unknowns) {
  std::vector<Equation> equations;
  for (const auto& [key, where] : anchors) {
    const auto counted = singles.find(key);
    if (counted == singles.end()) continue;
    const double value = std::accumulate(counted->second.begin(), counted->second.end(), 0.0) / warps;
    Equation e{{}, value, 1.0 / std::sqrt(std::max(value, 1.0))};
    std::map<int, double> terms;
    for (const auto& [b, number] : where.in_block) {
      if (b == 0) e.value -= number;
      for (const int i : unknowns.into(b)) terms[i] += number;
    }
    for (const auto& [i, number] : terms) e.terms.emplace_back(i, number);
    if (where.guarded) e.terms.emplace_back(unknowns.add(), -1.0);
    equations.push_back(std::move(e));
  }
  return equations;
}

// Where the compiler kept each instruction of a line, the first is likely to be the first. A hint: it decides
// only what the sums leave open.
std::vector<Equation> hints_of_order(const std::map<Key, Anchors>& anchors, const Singles& singles,
                                     double warps, const Unknowns& unknowns) {
  constexpr double kHint = 0.03;
  std::vector<Equation> equations;
  for (const auto& [key, counts] : singles) {
    const auto where = anchors.find(key);
    if (where == anchors.end() || where->second.guarded || where->second.blocks.size() != counts.size())
      continue;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t block = where->second.blocks[i];
      const double value = counts[i] / warps;
      Equation e{{}, value - (block == 0 ? 1 : 0), kHint / std::sqrt(std::max(value, 1.0))};
      for (const int edge : unknowns.into(block)) e.terms.emplace_back(edge, 1.0);
      equations.push_back(std::move(e));
    }
  }
  return equations;
}

double missed_share(const std::vector<Equation>& sums, const std::vector<double>& x) {
  double all = 0, missed = 0;
  for (const Equation& equation : sums) {
    double sum = 0;
    for (const auto& [i, a] : equation.terms) sum += a * x[static_cast<std::size_t>(i)];
    missed += std::abs(sum - equation.value);
    all += std::abs(equation.value);
  }
  return all > 0 ? missed / all : 0;
}

MachineFlow flow_of(const std::vector<Instruction>& code, const ptx::Function& function,
                    const emulator::Counters& counters,
                    const std::vector<emulator::VectorizedAccess>& accesses, double warps, bool diverges) {
  MachineFlow flow{blocks_of(code), 0, 0};
  add_edges(flow.blocks, code);
  Unknowns unknowns(flow.blocks, diverges);
  const auto anchors = anchors_of(flow.blocks, code);
  const auto singles = singles_in_ptx(function, counters, accesses);
  auto equations = flow_equations(flow.blocks, unknowns);
  const auto joins = join_equations(flow.blocks, unknowns);
  const auto sums = sums_of_lines(anchors, singles, warps, unknowns);
  const auto hints = hints_of_order(anchors, singles, warps, unknowns);
  equations.insert(equations.end(), joins.begin(), joins.end());
  equations.insert(equations.end(), sums.begin(), sums.end());
  equations.insert(equations.end(), hints.begin(), hints.end());
  const auto cost = costs_of(flow.blocks, unknowns);
  const auto dominator = dominators_of(flow.blocks);
  const auto loops = loops_of(flow.blocks, dominator);
  const auto counted = counted_loops(function, counters, accesses, warps);
  const auto turns = equations_of_loops(counted, code, flow.blocks, loops, unknowns, singles);
  equations.insert(equations.end(), turns.begin(), turns.end());
  const auto ways = equations_of_two_ways(function, counters, code, flow.blocks, unknowns, warps);
  equations.insert(equations.end(), ways.begin(), ways.end());
  std::set<std::size_t> entered;
  auto x = solve_not_negative(equations, cost);
  while (enter_loops(flow.blocks, loops, dominator, unknowns, x, entered, equations))
    x = solve_not_negative(equations, cost);
  flow.worst_miss = missed_share(sums, x);
  fill(flow, unknowns, x);
  flow.least_kept = least_kept(counted, executed_work(function, counters, accesses, warps), code, flow);
  return flow;
}

// Whether a warp leaves from wherever it comes to: where lanes part and join, a loop can be balanced without
// a way out of it.
bool comes_to_an_end(const MachineFlow& flow) {
  constexpr double kTaken = 1e-6, kComesTo = 1e-3;
  std::vector<bool> ends(flow.blocks.size());
  const auto leads_out = [&](const Block& block) {
    return std::ranges::any_of(block.edges, [&](const Edge& edge) {
      return edge.taken > kTaken * block.executed && (edge.to == kLeave || ends[edge.to]);
    });
  };
  for (bool found = true; std::exchange(found, false);)
    for (std::size_t b = flow.blocks.size(); b-- > 0;)
      if (!ends[b] && leads_out(flow.blocks[b])) ends[b] = found = true;
  for (std::size_t b = 0; b < ends.size(); ++b)
    if (!ends[b] && flow.blocks[b].executed > kComesTo) return false;
  return true;
}

}  // namespace

MachineFlow count_blocks(const std::vector<Instruction>& code, const ptx::Function& function,
                         const emulator::Counters& counters,
                         const std::vector<emulator::VectorizedAccess>& accesses, double warps) {
  const bool diverges =
      std::ranges::any_of(counters.instructions, [](const auto& i) { return i.diverged > 0; });
  MachineFlow flow = flow_of(code, function, counters, accesses, warps, diverges);
  return comes_to_an_end(flow) ? flow : flow_of(code, function, counters, accesses, warps, false);
}

std::vector<double> executed_of(const MachineFlow& flow, std::size_t code, double warps) {
  std::vector<double> executed(code);
  for (const Block& block : flow.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) executed[i] = block.executed * warps;
  return executed;
}

}  // namespace warplens::time
