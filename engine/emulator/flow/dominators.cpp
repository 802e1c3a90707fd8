#include "engine/emulator/flow/dominators.hpp"

#include <algorithm>

namespace warplens::emulator {
namespace {
constexpr std::uint32_t kNone = ~std::uint32_t{0};
}

Dominators::Dominators(const Flow& flow) : flow_(flow) {
  const std::size_t count = flow.blocks().size();
  predecessors_.resize(count);
  for (std::uint32_t b = 0; b < count; ++b)
    for (std::uint32_t next : flow.blocks()[b].successors) predecessors_[next].push_back(b);
  position_.assign(count, kNone);
  immediate_.assign(count, kNone);
  first_.assign(count, 0);
  last_.assign(count, 0);
  frontier_.resize(count);
  if (count == 0) return;
  order();
  find_immediate();
  number();
  find_frontiers();
  find_loops();
}

void Dominators::order() {
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
  std::vector<bool> seen(predecessors_.size(), false);
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const auto& successors = flow_.blocks()[block].successors;
    if (next == successors.size()) {
      order_.push_back(block);
      stack.pop_back();
      continue;
    }
    const std::uint32_t successor = successors[next++];
    if (seen[successor]) continue;
    seen[successor] = true;
    stack.emplace_back(successor, 0);
  }
  std::reverse(order_.begin(), order_.end());
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
}

void Dominators::find_immediate() {
  immediate_[0] = 0;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (position_[a] > position_[b]) a = immediate_[a];
      while (position_[b] > position_[a]) b = immediate_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t block : order_) {
      if (block == 0) continue;
      std::uint32_t found = kNone;
      for (std::uint32_t p : predecessors_[block])
        if (immediate_[p] != kNone) found = found == kNone ? p : meet(p, found);
      changed |= found != immediate_[block];
      immediate_[block] = found;
    }
  }
}

// Entry and exit times of a walk of the tree: dominance is then two comparisons.
void Dominators::number() {
  std::vector<std::vector<std::uint32_t>> children(predecessors_.size());
  for (std::uint32_t block : order_)
    if (block != 0) children[immediate_[block]].push_back(block);
  std::uint32_t time = 0;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == 0) {
      first_[block] = ++time;
      preorder_.push_back(block);
    }
    if (next == children[block].size()) {
      last_[block] = ++time;
      stack.pop_back();
    } else {
      stack.emplace_back(children[block][next++], 0);
    }
  }
}

void Dominators::find_frontiers() {
  for (std::uint32_t block : order_) {
    if (predecessors_[block].size() < 2) continue;
    for (std::uint32_t runner : predecessors_[block]) {
      if (!reachable(runner)) continue;
      while (runner != immediate_[block] || (block == 0 && runner == 0)) {
        auto& frontier = frontier_[runner];
        if (frontier.empty() || frontier.back() != block) frontier.push_back(block);
        if (runner == 0) break;
        runner = immediate_[runner];
      }
    }
  }
}

// Natural loops: an edge to a dominator, and what reaches its source without passing the target.
void Dominators::find_loops() {
  const std::size_t count = predecessors_.size();
  for (std::uint32_t header : order_) {
    Loop loop{header, BitSet(count)};
    std::vector<std::uint32_t> open;
    loop.body.set(header);
    bool ends_at_header = false;
    for (std::uint32_t p : predecessors_[header]) {
      if (!reachable(p) || !dominates(header, p)) continue;
      open.push_back(p);
      ends_at_header |= p == header;
    }
    if (open.empty()) continue;
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      if (loop.body.test(block)) continue;
      loop.body.set(block);
      for (std::uint32_t p : predecessors_[block])
        if (reachable(p)) open.push_back(p);
    }
    const auto& next = flow_.blocks()[header].successors;
    loop.tests_first = !ends_at_header && std::any_of(next.begin(), next.end(),
                                                      [&](std::uint32_t b) { return !loop.body.test(b); });
    loops_.push_back(std::move(loop));
  }
}

}  // namespace warplens::emulator
