#include "engine/instrument/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace warplens::instrument {
namespace {

bool same_access(const trace::Access& a, const trace::Access& b) {
  if (a.pc != b.pc || a.space != b.space || a.kind != b.kind || a.width != b.width || a.active != b.active)
    return false;
  for (std::uint32_t mask = a.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    if (a.address[lane] != b.address[lane]) return false;
  }
  return true;
}

bool has_local(const trace::Trace& trace) {
  for (std::size_t b = 0; b < trace.blocks().size(); ++b) {
    for (std::uint32_t event = 0; event < trace.blocks()[b].events; ++event)
      if (trace.space(b, event) == ptx::Space::local) return true;
  }
  return false;
}

// Events of each warp of a block, in order. Constant memory is never recorded on a GPU.
std::vector<std::vector<std::uint32_t>> events_by_warp(const trace::Trace& trace, std::size_t b,
                                                       bool with_local) {
  std::vector<std::vector<std::uint32_t>> warps;
  trace.for_each(b, [&](const trace::Access& access) {
    if ((access.space == ptx::Space::local && !with_local) || access.space == ptx::Space::constant) return;
    if (access.warp >= warps.size()) warps.resize(access.warp + 1);
    warps[access.warp].push_back(access.event);
  });
  return warps;
}

// One warp of one block in both traces.
struct Warp {
  const trace::Trace& emulated;
  const trace::Trace& recorded;
  std::size_t block, other;  // positions in the traces
  const std::vector<std::uint32_t>& mine;
  const std::vector<std::uint32_t>& theirs;

  // Events up to the first that differs.
  std::size_t same_from_the_start() const {
    std::size_t e = 0;
    while (e < mine.size() && e < theirs.size() &&
           same_access(emulated.access(block, mine[e]), recorded.access(other, theirs[e])))
      ++e;
    return e;
  }
  bool same_for_each_lane() const {
    if (mine.size() != theirs.size()) return false;
    for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
      if (!std::ranges::equal(of_lane(emulated, block, mine, bit), of_lane(recorded, other, theirs, bit),
                              same_access))
        return false;
    }
    return true;
  }

 private:
  static std::vector<trace::Access> of_lane(const trace::Trace& trace, std::size_t b,
                                            const std::vector<std::uint32_t>& events, std::uint32_t bit) {
    std::vector<trace::Access> lane;
    for (const std::uint32_t event : events) {
      const trace::Access access = trace.access(b, event);
      if ((access.active & bit) != 0) lane.push_back(access);
    }
    return lane;
  }
};

}  // namespace

TraceComparison compare_traces(const trace::Trace& emulated, const trace::Trace& recorded) {
  TraceComparison result;
  const bool with_local = has_local(recorded);
  for (std::size_t b = 0; b < emulated.blocks().size(); ++b) {
    const std::uint64_t block = emulated.blocks()[b].block;
    const auto other = recorded.find_block(block);
    auto mine = events_by_warp(emulated, b, with_local);
    auto theirs =
        other ? events_by_warp(recorded, *other, with_local) : std::vector<std::vector<std::uint32_t>>{};
    const std::size_t warps = std::max(mine.size(), theirs.size());
    mine.resize(warps);
    theirs.resize(warps);
    for (std::size_t w = 0; w < warps; ++w) {
      const Warp warp{emulated, recorded, b, other.value_or(0), mine[w], theirs[w]};
      const std::size_t e = warp.same_from_the_start();
      ++result.warps;
      result.accesses += mine[w].size();
      if (e == mine[w].size() && e == theirs[w].size()) continue;
      if (warp.same_for_each_lane()) {
        ++result.reordered;
        continue;
      }
      ++result.different;
      if (!result.first.empty()) continue;
      result.first = fmt::format("block {} warp {} access {}", block, w, e);
      if (e < mine[w].size()) result.first += fmt::format(", pc {}", emulated.pc(b, mine[w][e]));
    }
  }
  return result;
}

}  // namespace warplens::instrument
