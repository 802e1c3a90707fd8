#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engine/explain/explain.hpp"

namespace warplens::explain {
namespace {

// What the accesses of one kind to one array cost a warp.
struct Cost {
  double wasted = 0,
         asked = 0;  // sectors or wavefronts; idle lanes count as much as what they could have had
  double worst = 0;
  std::uint32_t worst_access = 0;
};

// A warp makes millions of accesses at worst: its first ones show what the others are like.
constexpr std::uint32_t kMostLooked = 512;

// Of all that the warp asks for: what accesses of one kind waste of it is the step's point from here on.
constexpr double kLeastShare = 0.05;

}  // namespace

std::uint32_t opening_access(const run::Run& run, std::size_t block, std::uint32_t warp) {
  const auto events = run.stories[block]->accesses().of_warp(warp);
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(events.size(), kMostLooked));
  std::map<std::pair<std::string, emulator::AccessKind>, Cost> costs;
  double asked = 0;
  for (std::uint32_t access = 0; access < count; ++access) {
    const auto facts = facts_at(run, {block, warp, access});
    if (!facts || facts->pieces.units == 0) continue;
    if (!run.plan().spec.show.empty() && facts->array != run.plan().spec.show) continue;
    const bool costly = explain(*facts).verdict == Verdict::costly;
    const double ratio = costly ? std::max(facts->traffic_ratio(), facts->lane_ratio()) : 1;
    Cost& cost = costs[{facts->array, facts->access.kind}];
    cost.wasted += (1 - 1 / ratio) * facts->pieces.units, cost.asked += facts->pieces.units;
    asked += facts->pieces.units;
    if (ratio > cost.worst) cost.worst = ratio, cost.worst_access = access;
  }
  const auto wasted = [&](const Cost& cost) { return cost.wasted > kLeastShare * asked ? cost.wasted : 0; };
  const auto costliest = std::max_element(costs.begin(), costs.end(), [&](const auto& a, const auto& b) {
    return std::pair(wasted(a.second), a.second.asked) < std::pair(wasted(b.second), b.second.asked);
  });
  return costliest == costs.end() ? 0 : costliest->second.worst_access;
}

}  // namespace warplens::explain
