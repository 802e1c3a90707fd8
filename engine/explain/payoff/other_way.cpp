#include "engine/explain/payoff/other_way.hpp"

#include <algorithm>
#include <set>

namespace warplens::explain {
namespace {

constexpr double kMatters = 0.05;  // of the sectors of the costliest access: one of fewer does not decide

// Where the threads of a block go in the first execution of an instruction.
using Addresses = std::map<std::uint32_t, std::uint64_t>;  // by thread of the block
Addresses first_addresses(const trace::Trace& trace, const trace::PcIndex& events, std::uint32_t pc) {
  Addresses addresses;
  std::set<std::uint32_t> seen;
  for (const std::uint32_t event : events.events(pc)) {
    const std::uint32_t warp = trace.warp(0, event);
    if (!seen.insert(warp).second) continue;
    const trace::Access access = trace.access(0, event);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if (access.active >> lane & 1) addresses[32 * warp + lane] = access.address[lane];
  }
  return addresses;
}

// address = origin + x * along + y * down, of thread (x, y).
struct Plane {
  std::uint64_t origin = 0;
  std::int64_t along = 0, down = 0;
  std::uint64_t at(std::int64_t x, std::int64_t y) const {
    return origin + static_cast<std::uint64_t>(x * along + y * down);
  }
};
std::optional<Plane> plane_of(const Addresses& addresses, std::uint32_t across) {
  const auto origin = addresses.find(0), right = addresses.find(1), below = addresses.find(across);
  if (origin == addresses.end() || right == addresses.end() || below == addresses.end()) return std::nullopt;
  const Plane plane{origin->second, static_cast<std::int64_t>(right->second - origin->second),
                    static_cast<std::int64_t>(below->second - origin->second)};
  for (const auto& [thread, address] : addresses)
    if (plane.at(thread % across, thread / across) != address) return std::nullopt;
  return plane;
}

// Of a warp whose lanes walk along x first, or along y.
std::size_t sectors_of(const Plane& plane, std::int64_t across, bool other_way) {
  constexpr std::uint64_t kSector = 32;
  std::set<std::uint64_t> sectors;
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    const std::int64_t first = lane % across, second = lane / across;
    sectors.insert((other_way ? plane.at(second, first) : plane.at(first, second)) / kSector);
  }
  return sectors.size();
}

}  // namespace

std::optional<std::map<std::uint32_t, double>> sectors_the_other_way(const run::Run& run) {
  const auto& block = run.plan().launch.block;
  if (run.trace == nullptr || run.trace->blocks().empty() || block[0] < 2 || block[1] < 2)
    return std::nullopt;
  const trace::PcIndex events(*run.trace, 0);
  const auto& counters = run.emulation.outcome.counters;
  double most = 0;
  for (const auto& counted : counters.instructions)
    if (counted.space == ptx::Space::global) most = std::max(most, static_cast<double>(counted.sectors));
  std::map<std::uint32_t, double> ratios;
  for (const std::uint32_t pc : events.pcs()) {
    const auto& counted = counters.instructions[pc];
    if (counted.space != ptx::Space::global || static_cast<double>(counted.sectors) < kMatters * most)
      continue;
    const auto plane = plane_of(first_addresses(*run.trace, events, pc), block[0]);
    if (!plane) return std::nullopt;
    ratios[pc] = static_cast<double>(sectors_of(*plane, block[0], true)) /
                 static_cast<double>(sectors_of(*plane, block[0], false));
  }
  return ratios;
}

}  // namespace warplens::explain
