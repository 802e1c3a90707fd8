#include <algorithm>
#include <map>
#include <optional>
#include <set>
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
  std::optional<std::uint32_t> artful;  // the first that a trick keeps free of conflicts
};

// A warp makes millions of accesses at worst: its first ones show what the others are like.
constexpr std::uint32_t kMostLooked = 512;

// Of all that the warp asks for: what accesses of one kind waste of it is the step's point from here on.
constexpr double kLeastShare = 0.05;

// Waste below this may be the edge of something that is fine otherwise: an array that starts between sectors.
constexpr double kLeastRatio = 1.3;

// Lanes that ask shared memory for 32 words out of order and still meet no other in a bank: padding or a
// swizzle is at work.
bool is_artful(const Facts& facts) {
  const bool whole = facts.pieces.is_shared && facts.lanes == 32 && facts.access.width == 4;
  if (!whole || facts.pieces.units > 1 || facts.access.kind != emulator::AccessKind::load) return false;
  std::set<std::uint64_t> words;
  bool in_order = true;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    words.insert(facts.access.address[lane] / 4);
    in_order &= lane == 0 || facts.access.address[lane] == facts.access.address[lane - 1] + 4;
  }
  return words.size() == 32 && !in_order;
}

}  // namespace

std::uint32_t opening_access(const run::Run& run, std::size_t block, std::uint32_t warp) {
  const auto events = run.stories[block]->accesses().of_warp(warp);
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(events.size(), kMostLooked));
  std::map<std::pair<std::string, emulator::AccessKind>, Cost> costs;
  double asked = 0;
  bool any_vector = false;  // then these are the point
  for (std::uint32_t access = 0; access < count; ++access) {
    const auto facts = facts_at(run, {block, warp, access});
    if (!facts || facts->pieces.units == 0) continue;
    if (!run.plan().spec.show.empty() && facts->array != run.plan().spec.show) continue;
    const bool costly = explain(*facts).verdict == Verdict::costly;
    const double found = std::max(facts->traffic_ratio(), facts->lane_ratio()),
                 ratio = costly && found >= kLeastRatio ? found : 1;
    Cost& cost = costs[{facts->array, facts->access.kind}];
    cost.wasted += (1 - 1 / ratio) * facts->pieces.units, cost.asked += facts->pieces.units;
    asked += facts->pieces.units;
    any_vector |= !facts->pieces.is_shared && facts->access.width > facts->element_bytes();
    if (ratio > cost.worst) cost.worst = ratio, cost.worst_access = access;
    if (!cost.artful && is_artful(*facts)) cost.artful = access;
  }
  const auto wasted = [&](const Cost& cost) { return cost.wasted > kLeastShare * asked ? cost.wasted : 0; };
  // Where nothing is wasted, how that came about is the step's point.
  const bool clean =
      std::none_of(costs.begin(), costs.end(), [&](const auto& each) { return wasted(each.second) > 0; });
  for (const auto& [place, cost] : costs)
    if (clean && cost.artful && !any_vector) return *cost.artful;
  const auto costliest = std::max_element(costs.begin(), costs.end(), [&](const auto& a, const auto& b) {
    return std::pair(wasted(a.second), a.second.asked) < std::pair(wasted(b.second), b.second.asked);
  });
  return costliest == costs.end() ? 0 : costliest->second.worst_access;
}

}  // namespace warplens::explain
