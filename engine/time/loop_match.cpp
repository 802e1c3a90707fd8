#include "engine/time/loop_match.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/emulator/flow/dominators.hpp"
#include "engine/time/ptx_work.hpp"

namespace warplens::time {
namespace {

// Lines of two loops are alike from here on; two loops are as alike as a third where they differ by less.
constexpr double kAlike = 0.7, kAsAlike = 0.02;
// A loop matters that has this share of all work.
constexpr double kMatters = 0.05;

double length(const std::map<int, double>& lines) {
  double sum = 0;
  for (const auto& [line, work] : lines) sum += work * work;
  return std::sqrt(sum);
}

// The cosine of the angle between the two.
double likeness(const WorkByLine& a, const WorkByLine& b) {
  double sum = 0;
  for (const auto& [line, work] : a.lines)
    if (const auto found = b.lines.find(line); found != b.lines.end()) sum += work * found->second;
  const double lengths = length(a.lines) * length(b.lines);
  return lengths > 0 ? sum / lengths : 0;
}

// Whose head leaves it, and does not jump back: the body runs once less than the head.
double turns_of(const emulator::Dominators::Loop& loop, const emulator::Flow& flow,
                const emulator::Counters& counters) {
  std::uint32_t first = loop.header;
  if (loop.tests_first)
    for (const std::uint32_t next : flow.blocks()[loop.header].successors)
      if (loop.body.test(next)) first = next;
  return static_cast<double>(counters.instructions[flow.blocks()[first].begin].executed);
}

WorkByLine lines_of(const Loop& loop, const std::vector<Block>& blocks,
                    const std::vector<Instruction>& code) {
  WorkByLine work;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::uint32_t i = blocks[b].first; loop.body[b] && i < blocks[b].end; ++i) work.add(code[i].line, 1);
  return work;
}

// Anchors of blocks that are in no loop within it.
bool has_anchors(const Loop& loop, const std::vector<Loop>& loops, const std::vector<Block>& blocks,
                 const std::vector<Instruction>& code, const Singles& singles) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto is_within = [&](const Loop& other) {
      return other.head != loop.head && other.body[b] && loop.body[other.head];
    };
    if (!loop.body[b] || std::any_of(loops.begin(), loops.end(), is_within)) continue;
    for (std::uint32_t i = blocks[b].first; i < blocks[b].end; ++i)
      if (!code[i].guarded && singles.contains({code[i].line, anchor_of(code[i])})) return true;
  }
  return false;
}

// How many rounds of the one are in a turn of the other. ptxas unrolls by powers of two.
double rounds(double machine, double ptx) {
  const double ratio = machine / std::max(ptx, 1.0);
  return ratio < 1.6 ? 1 : std::exp2(std::round(std::log2(ratio)));
}

struct Match {
  std::vector<std::size_t> machine, ptx;
};

// Loops of the machine code with the loops of the PTX that each is most like. Where several are alike, as
// many of the one as of the other, they stand in the same order.
std::vector<Match> matches_of(const std::vector<CountedLoop>& counted,
                              const std::vector<WorkByLine>& machine) {
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> groups;
  for (std::size_t s = 0; s < machine.size(); ++s) {
    double most = kAlike;
    for (const CountedLoop& loop : counted) most = std::max(most, likeness(loop.work, machine[s]));
    std::vector<std::size_t> like;
    for (std::size_t p = 0; p < counted.size(); ++p)
      if (likeness(counted[p].work, machine[s]) >= most - kAsAlike) like.push_back(p);
    if (!like.empty()) groups[like].push_back(s);
  }
  std::vector<Match> matches;
  for (const auto& [ptx, loops] : groups) {
    if (ptx.size() != loops.size()) {
      matches.push_back({loops, ptx});
      continue;
    }
    for (std::size_t i = 0; i < ptx.size(); ++i) matches.push_back({{loops[i]}, {ptx[i]}});
  }
  return matches;
}

// How often its body runs: what comes to its head, less what leaves from there.
void add_turns(Equation& equation, const Loop& loop, const std::vector<Block>& blocks,
               const Unknowns& unknowns, double rounds) {
  const auto& edges = blocks[loop.head].edges;
  const auto leaves = [&](const Edge& edge) { return edge.to == kLeave || !loop.body[edge.to]; };
  const bool is_end =
      std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.to == loop.head; });
  if (!is_end && std::any_of(edges.begin(), edges.end(), leaves)) {
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (!leaves(edges[i])) equation.terms.emplace_back(unknowns.edge(loop.head, i), rounds);
    return;
  }
  for (const int i : unknowns.into(loop.head)) equation.terms.emplace_back(i, rounds);
}

}  // namespace

std::vector<CountedLoop> counted_loops(const ptx::Function& function, const emulator::Counters& counters,
                                       const std::vector<emulator::VectorizedAccess>& accesses,
                                       double warps) {
  const emulator::Flow flow(function);
  const emulator::Dominators dominators(flow);
  std::vector<CountedLoop> counted;
  for (const auto& loop : dominators.loops()) {
    CountedLoop one;
    one.turns = turns_of(loop, flow, counters) / warps;
    loop.body.for_each([&](std::size_t b) {
      for (std::uint32_t pc = flow.blocks()[b].begin; pc < flow.blocks()[b].end; ++pc) {
        const double work = work_at(function, pc, accesses).instructions();
        one.work.add(line_of(function, function.code[pc]), work);
        one.executed += work * static_cast<double>(counters.instructions[pc].executed) / warps;
      }
    });
    counted.push_back(std::move(one));
  }
  return counted;
}

std::vector<Equation> equations_of_loops(const std::vector<CountedLoop>& counted,
                                         const std::vector<Instruction>& code,
                                         const std::vector<Block>& blocks, const std::vector<Loop>& loops,
                                         const Unknowns& unknowns, const Singles& singles) {
  std::vector<WorkByLine> machine;
  for (const Loop& loop : loops) machine.push_back(lines_of(loop, blocks, code));
  std::vector<Equation> equations;
  for (const Match& match : matches_of(counted, machine)) {
    const auto is_counted = [&](std::size_t s) {
      return has_anchors(loops[s], loops, blocks, code, singles);
    };
    if (std::any_of(match.machine.begin(), match.machine.end(), is_counted)) continue;
    Equation equation;
    double work = 0;
    for (const std::size_t p : match.ptx)
      equation.value += counted[p].turns, work = std::max(work, counted[p].work.all);
    for (const std::size_t s : match.machine)
      add_turns(equation, loops[s], blocks, unknowns, rounds(machine[s].all, work));
    equation.weight = 1.0 / std::sqrt(std::max(equation.value, 1.0));
    equations.push_back(std::move(equation));
  }
  return equations;
}

WorkByLine executed_work(const ptx::Function& function, const emulator::Counters& counters,
                         const std::vector<emulator::VectorizedAccess>& accesses, double warps) {
  WorkByLine work;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc)
    work.add(line_of(function, function.code[pc]),
             work_at(function, pc, accesses).instructions() *
                 static_cast<double>(counters.instructions[pc].executed) / warps);
  return work;
}

double least_kept(const std::vector<CountedLoop>& counted, const WorkByLine& all,
                  const std::vector<Instruction>& code, const MachineFlow& flow) {
  WorkByLine machine;
  for (const Block& block : flow.blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) machine.add(code[i].line, block.executed);
  double least = all.all > 0 ? machine.all / all.all : 1;
  for (const CountedLoop& loop : counted) {
    if (loop.executed < kMatters * all.all) continue;
    double expected = 0, found = 0;
    for (const auto& [line, work] : loop.work.lines) {
      if (work < kMatters * loop.work.all) continue;
      expected += all.lines.at(line);
      if (const auto it = machine.lines.find(line); it != machine.lines.end()) found += it->second;
    }
    if (expected > 0) least = std::min(least, found / expected);
  }
  return least;
}

}  // namespace warplens::time
