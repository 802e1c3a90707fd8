#include "engine/time/machine_loops.hpp"

#include <algorithm>
#include <utility>

namespace warplens::time {

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

namespace {

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

}  // namespace

bool enter_loops(const std::vector<Block>& blocks, const std::vector<Loop>& loops,
                 const std::vector<int>& dominator, const Unknowns& unknowns, const std::vector<double>& x,
                 std::set<std::size_t>& entered, std::vector<Equation>& equations) {
  constexpr double kGuess = 0.03;  // it gives way to what was counted
  bool added = false;
  for (const Loop& loop : loops) {
    if (entered.contains(loop.head) || loop.head == 0) continue;
    Equation e{{}, 0, kGuess};
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

}  // namespace warplens::time
