#include "engine/time/machine_counts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "engine/time/least_squares.hpp"

namespace warplens::time {
namespace {

using Key = std::pair<int, Anchor>;  // source line

int line_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  return instruction.location < 0 ? 0
                                  : function.locations[static_cast<std::size_t>(instruction.location)].line;
}

std::vector<Block> blocks_of(const std::vector<Instruction>& code) {
  std::set<std::uint32_t> starts{0};
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const auto control = code[i].control;
    if (control == Control::branch) starts.insert(code[i].target);
    if (control == Control::branch || control == Control::exit) starts.insert(i + 1);
  }
  std::vector<Block> blocks;
  for (auto start = starts.begin(); start != starts.end() && *start < code.size(); ++start) {
    const auto next = std::next(start);
    const auto end = static_cast<std::uint32_t>(code.size());
    blocks.push_back({*start, next == starts.end() ? end : std::min(*next, end), 0, {}});
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
    if (last.control == Control::exit) block.edges.push_back({kLeave, 0});
    if (last.control == Control::branch) goes_to(block, last.target);
    const bool ends = last.control == Control::exit || last.control == Control::branch;
    if (!ends || last.guarded) goes_to(block, block.end);
  }
}

// The unknowns: every edge, then what guarded instructions did beyond the counts.
class Unknowns {
 public:
  explicit Unknowns(const std::vector<Block>& blocks) : blocks_(blocks), into_(blocks.size()) {
    for (const Block& block : blocks) {
      first_.push_back(count_);
      for (const Edge& edge : block.edges) {
        if (edge.to != kLeave) into_[edge.to].push_back(count_);
        ++count_;
      }
    }
  }
  int edge(std::size_t block, std::size_t edge) const { return first_[block] + static_cast<int>(edge); }
  const std::vector<int>& into(std::size_t block) const { return into_[block]; }
  int edges_out(std::size_t block) const { return static_cast<int>(blocks_[block].edges.size()); }
  int count() const { return count_; }
  int add() { return count_++; }

 private:
  const std::vector<Block>& blocks_;
  std::vector<int> first_;
  std::vector<std::vector<int>> into_;
  int count_ = 0;
};

std::vector<Equation> flow_equations(const std::vector<Block>& blocks, const Unknowns& unknowns) {
  std::vector<Equation> equations;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Equation e{{}, b == 0 ? 1.0 : 0.0, 100.0};
    for (int i = 0; i < unknowns.edges_out(b); ++i)
      e.terms.emplace_back(unknowns.edge(b, static_cast<std::size_t>(i)), 1.0);
    for (const int i : unknowns.into(b)) e.terms.emplace_back(i, -1.0);
    equations.push_back(std::move(e));
  }
  return equations;
}

// The counts of each instruction of a key, in the order of the PTX.
std::map<Key, std::vector<double>> singles_in_ptx(const ptx::Function& function,
                                                  const emulator::Counters& counters,
                                                  const std::vector<emulator::VectorizedAccess>& accesses) {
  std::map<Key, std::vector<double>> singles;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    const auto& instruction = function.code[pc];
    const Anchor anchor = anchor_of(instruction);
    if (anchor == Anchor::none) continue;
    const bool shared = anchor == Anchor::shared_load || anchor == Anchor::shared_store;
    if (shared && pc < accesses.size() && accesses[pc].width != 0 && accesses[pc].leader != pc) continue;
    singles[{line_of(function, instruction), anchor}].push_back(
        static_cast<double>(counters.instructions[pc].executed));
  }
  return singles;
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

// The block that every way to each block goes through last (Cooper, Harvey, Kennedy 2001); -1: not reached.
std::vector<int> dominators_of(const std::vector<Block>& blocks) {
  std::vector<std::vector<int>> from(blocks.size());
  std::vector<int> order, place(blocks.size(), -1), dominator(blocks.size(), -1);
  std::vector<std::pair<int, std::size_t>> stack{{0, 0}};
  std::vector<bool> seen(blocks.size());
  seen[0] = true;
  while (!stack.empty()) {
    auto& [b, next] = stack.back();
    const auto& edges = blocks[static_cast<std::size_t>(b)].edges;
    if (next == edges.size()) {
      place[static_cast<std::size_t>(b)] = static_cast<int>(order.size());
      order.push_back(b);
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = edges[next++].to;
    if (to == kLeave) continue;
    from[to].push_back(b);
    if (!seen[to]) seen[to] = true, stack.emplace_back(static_cast<int>(to), 0);
  }
  const auto at = [](auto& list, int i) -> auto& { return list[static_cast<std::size_t>(i)]; };
  dominator[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = order.size() - 1; i-- > 0;) {
      const int b = order[i];
      int common = -1;
      for (int other : at(from, b)) {
        if (at(dominator, other) < 0) continue;
        if (common < 0) common = other;
        while (other != common) {
          while (at(place, other) < at(place, common)) other = at(dominator, other);
          while (at(place, common) < at(place, other)) common = at(dominator, common);
        }
      }
      if (at(dominator, b) != common) at(dominator, b) = common, changed = true;
    }
  }
  return dominator;
}

struct Loop {
  std::size_t head = 0;
  std::vector<bool> body;
};
// Natural loops; those with one head are one.
std::vector<Loop> loops_of(const std::vector<Block>& blocks, const std::vector<int>& dominator) {
  std::vector<std::vector<std::size_t>> from(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Edge& edge : blocks[b].edges)
      if (edge.to != kLeave) from[edge.to].push_back(b);
  std::vector<Loop> loops;
  for (std::size_t head = 0; head < blocks.size(); ++head) {
    Loop loop{head, std::vector<bool>(blocks.size())};
    std::vector<std::size_t> work;
    for (const std::size_t b : from[head]) {
      int up = dominator[b] < 0 ? -1 : static_cast<int>(b);
      while (up > 0 && up != static_cast<int>(head)) up = dominator[static_cast<std::size_t>(up)];
      if (up == static_cast<int>(head)) work.push_back(b);
    }
    if (work.empty()) continue;
    loop.body[head] = true;
    while (!work.empty()) {
      const std::size_t b = work.back();
      work.pop_back();
      if (loop.body[b]) continue;
      loop.body[b] = true;
      work.insert(work.end(), from[b].begin(), from[b].end());
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

double runs(std::size_t block, const Unknowns& unknowns, const std::vector<double>& x) {
  double sum = block == 0 ? 1 : 0;
  for (const int i : unknowns.into(block)) sum += x[static_cast<std::size_t>(i)];
  return sum;
}

// The last block before a loop that runs as often as any on the way to it, within the loop around it.
std::size_t leads_to(const Loop& loop, const std::vector<Loop>& loops, const std::vector<int>& dominator,
                     const Unknowns& unknowns, const std::vector<double>& x) {
  const Loop* around = nullptr;
  for (const Loop& other : loops)
    if (&other != &loop && other.body[loop.head] && other.head != loop.head &&
        (around == nullptr || around->body[other.head]))
      around = &other;
  std::vector<std::size_t> way;
  double most = 0;
  for (auto b = static_cast<std::size_t>(dominator[loop.head]);; b = static_cast<std::size_t>(dominator[b])) {
    if (around != nullptr && !around->body[b]) break;
    way.push_back(b);
    most = std::max(most, runs(b, unknowns, x));
    if (b == 0) break;
  }
  for (const std::size_t b : way)
    if (runs(b, unknowns, x) >= 0.5 * most) return b;
  return 0;
}

// A loop that turns without being entered obeys the flow. Such a one is entered as often as what leads to it
// runs. Returns whether an equation was added.
bool enter_loops(const std::vector<Block>& blocks, const std::vector<Loop>& loops,
                 const std::vector<int>& dominator, const Unknowns& unknowns, const std::vector<double>& x,
                 std::set<std::size_t>& entered, std::vector<Equation>& equations) {
  bool added = false;
  for (const Loop& loop : loops) {
    if (entered.contains(loop.head) || loop.head == 0) continue;
    Equation e{{}, 0, 100.0};
    double entries = 0, turns = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (std::size_t i = 0; i < blocks[b].edges.size(); ++i) {
        if (blocks[b].edges[i].to != loop.head) continue;
        const int unknown = unknowns.edge(b, i);
        (loop.body[b] ? turns : entries) += x[static_cast<std::size_t>(unknown)];
        if (!loop.body[b]) e.terms.emplace_back(unknown, 1.0);
      }
    if (turns < 1e-3 || entries > 1e-3 * turns) continue;
    const std::size_t before = leads_to(loop, loops, dominator, unknowns, x);
    if (before == 0) e.value = 1;
    for (const int i : unknowns.into(before)) e.terms.emplace_back(i, -1.0);
    equations.push_back(std::move(e));
    entered.insert(loop.head);
    added = true;
  }
  return added;
}

}  // namespace

Anchor anchor_of(const Instruction& i) {
  if (i.fp32 == 1) return Anchor::fp32;
  if (i.fp32 == 2) return Anchor::minimum;
  if (i.control == Control::barrier) return Anchor::barrier;
  if (i.unit == Unit::shuffle) return Anchor::shuffle;
  switch (i.access) {
    case Access::shared_load:
      return Anchor::shared_load;
    case Access::shared_store:
      return Anchor::shared_store;
    case Access::global_load:
      return Anchor::global_load;
    case Access::global_store:
      return Anchor::global_store;
    case Access::global_atomic:
      return Anchor::atomic;
    case Access::async_copy:
      return Anchor::async_copy;
    default:
      return Anchor::none;
  }
}

Anchor anchor_of(const ptx::Instruction& i) {
  using ptx::Opcode, ptx::Space;
  switch (i.opcode) {
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
      return i.type == ptx::Type::f32 ? Anchor::fp32 : Anchor::none;
    case Opcode::min:
    case Opcode::max:
      return i.type == ptx::Type::f32 ? Anchor::minimum : Anchor::none;
    case Opcode::ld:
      return i.space == Space::shared   ? Anchor::shared_load
             : i.space == Space::global ? Anchor::global_load
                                        : Anchor::none;
    case Opcode::st:
      return i.space == Space::shared   ? Anchor::shared_store
             : i.space == Space::global ? Anchor::global_store
                                        : Anchor::none;
    case Opcode::ldmatrix:
      return Anchor::shared_load;
    case Opcode::atom:
    case Opcode::red:
      return i.space == Space::shared ? Anchor::none : Anchor::atomic;
    case Opcode::cp_async:
      return Anchor::async_copy;
    case Opcode::bar_sync:
      return Anchor::barrier;
    case Opcode::shfl:
      return Anchor::shuffle;
    default:
      return Anchor::none;
  }
}

namespace {

using Singles = std::map<Key, std::vector<double>>;

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

std::vector<double> costs_of(const std::vector<Block>& blocks, const Unknowns& unknowns) {
  std::vector<double> cost(static_cast<std::size_t>(unknowns.count()), 1e-4);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const int i : unknowns.into(b))
      cost[static_cast<std::size_t>(i)] = 1e-6 * (blocks[b].end - blocks[b].first);
  return cost;
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

void fill(MachineFlow& flow, const Unknowns& unknowns, const std::vector<double>& x) {
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    Block& block = flow.blocks[b];
    block.executed = runs(b, unknowns, x);
    for (std::size_t i = 0; i < block.edges.size(); ++i)
      block.edges[i].taken = x[static_cast<std::size_t>(unknowns.edge(b, i))];
    flow.instructions += block.executed * (block.end - block.first);
  }
}

}  // namespace

MachineFlow count_blocks(const std::vector<Instruction>& code, const ptx::Function& function,
                         const emulator::Counters& counters,
                         const std::vector<emulator::VectorizedAccess>& accesses, double warps) {
  MachineFlow flow{blocks_of(code), 0, 0};
  add_edges(flow.blocks, code);
  Unknowns unknowns(flow.blocks);
  const auto anchors = anchors_of(flow.blocks, code);
  const auto singles = singles_in_ptx(function, counters, accesses);
  auto equations = flow_equations(flow.blocks, unknowns);
  const auto sums = sums_of_lines(anchors, singles, warps, unknowns);
  const auto hints = hints_of_order(anchors, singles, warps, unknowns);
  equations.insert(equations.end(), sums.begin(), sums.end());
  equations.insert(equations.end(), hints.begin(), hints.end());
  const auto cost = costs_of(flow.blocks, unknowns);
  const auto dominator = dominators_of(flow.blocks);
  const auto loops = loops_of(flow.blocks, dominator);
  std::set<std::size_t> entered;
  auto x = solve_not_negative(equations, cost);
  while (enter_loops(flow.blocks, loops, dominator, unknowns, x, entered, equations))
    x = solve_not_negative(equations, cost);
  flow.worst_miss = missed_share(sums, x);
  fill(flow, unknowns, x);
  return flow;
}

}  // namespace warplens::time
