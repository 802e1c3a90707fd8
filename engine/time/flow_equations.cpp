#include "engine/time/flow_equations.hpp"

#include <utility>

namespace warplens::time {

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
