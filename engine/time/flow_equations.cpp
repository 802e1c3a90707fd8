#include "engine/time/flow_equations.hpp"

#include <utility>

namespace warplens::time {
namespace {

// From which blocks a warp can come to each.
std::vector<std::vector<bool>> reached_from(const std::vector<Block>& blocks) {
  std::vector<std::vector<bool>> from(blocks.size(), std::vector<bool>(blocks.size()));
  for (std::size_t start = 0; start < blocks.size(); ++start) {
    std::vector<std::size_t> open{start};
    while (!open.empty()) {
      const Block& block = blocks[open.back()];
      open.pop_back();
      for (const Edge& edge : block.edges)
        if (edge.to != kLeave && !from[edge.to][start]) from[edge.to][start] = true, open.push_back(edge.to);
    }
  }
  return from;
}

}  // namespace

std::vector<Equation> flow_equations(const std::vector<Block>& blocks, const Unknowns& unknowns) {
  std::vector<Equation> equations;
  Equation all_join{{}, 0, 100.0};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Equation e{{}, b == 0 ? 1.0 : 0.0, 100.0};
    for (int i = 0; i < unknowns.edges_out(b); ++i)
      e.terms.emplace_back(unknowns.edge(b, static_cast<std::size_t>(i)), 1.0);
    for (const int i : unknowns.into(b)) e.terms.emplace_back(i, -1.0);
    if (const int apart = unknowns.apart(b); apart >= 0) {
      e.terms.emplace_back(apart, blocks[b].joins ? 1.0 : -1.0);
      all_join.terms.push_back(e.terms.back());
    }
    equations.push_back(std::move(e));
  }
  equations.push_back(std::move(all_join));
  return equations;
}

std::vector<Equation> join_equations(const std::vector<Block>& blocks, Unknowns& unknowns) {
  std::vector<Equation> equations;
  std::vector<std::size_t> parting, joining;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (unknowns.apart(b) >= 0) (blocks[b].joins ? joining : parting).push_back(b);
  if (joining.empty()) return equations;
  const auto from = reached_from(blocks);
  for (const std::size_t join : joining) {
    Equation e{{{unknowns.apart(join), -1.0}}, 0, 100.0};
    for (const std::size_t part : parting)
      if (from[join][part]) e.terms.emplace_back(unknowns.apart(part), 1.0);
    if (e.terms.size() > parting.size()) continue;  // the sum of all says so
    e.terms.emplace_back(unknowns.add(), -1.0);     // that join elsewhere
    equations.push_back(std::move(e));
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

double runs(std::size_t block, const Unknowns& unknowns, const std::vector<double>& x) {
  double sum = block == 0 ? 1 : 0;
  for (const int i : unknowns.into(block)) sum += x[static_cast<std::size_t>(i)];
  return sum;
}

void fill(MachineFlow& flow, const Unknowns& unknowns, const std::vector<double>& x) {
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    Block& block = flow.blocks[b];
    block.executed = runs(b, unknowns, x);
    if (const int apart = unknowns.apart(b); apart >= 0 && !block.joins)
      block.splits = x[static_cast<std::size_t>(apart)];
    for (std::size_t i = 0; i < block.edges.size(); ++i)
      block.edges[i].taken = x[static_cast<std::size_t>(unknowns.edge(b, i))];
    flow.instructions += block.executed * (block.end - block.first);
  }
}

}  // namespace warplens::time
