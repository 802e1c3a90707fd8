#include "engine/report/block_accesses.hpp"

namespace warplens::report {
namespace {

std::uint64_t key(std::uint32_t pc, std::uint32_t warp) { return std::uint64_t{pc} << 32 | warp; }

std::uint32_t bit(ptx::Space space) { return 1u << static_cast<unsigned>(space); }

}  // namespace

BlockAccesses::BlockAccesses(const trace::Trace& trace, std::size_t b) : trace_(&trace), b_(b) {
  const auto runs = trace.runs(b);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::uint32_t warp = runs[r].warp;
    const std::uint32_t end = r + 1 < runs.size() ? runs[r + 1].first_event : trace.blocks()[b].events;
    if (warp >= events_.size()) events_.resize(warp + 1), turns_.resize(warp + 1), spaces_.resize(warp + 1);
    for (std::uint32_t event = runs[r].first_event; event < end; ++event) {
      const std::uint32_t pc = trace.pc(b, event);
      auto& turns = by_pc_[key(pc, warp)];
      turns_[warp].push_back({pc, static_cast<std::uint32_t>(turns.size())});
      turns.push_back(event);
      events_[warp].push_back(event);
      spaces_[warp] |= bit(trace.space(b, event));
    }
  }
}

std::span<const std::uint32_t> BlockAccesses::of_warp(std::uint32_t warp) const {
  if (warp >= events_.size()) return {};
  return events_[warp];
}

bool BlockAccesses::uses(std::uint32_t warp, ptx::Space space) const {
  return warp < spaces_.size() && (spaces_[warp] & bit(space)) != 0;
}

std::optional<trace::Access> BlockAccesses::at(std::uint32_t warp, std::uint32_t access) const {
  const auto events = of_warp(warp);
  if (access >= events.size()) return std::nullopt;
  return trace_->access(b_, events[access]);
}

std::vector<trace::Access> BlockAccesses::together(std::uint32_t warp, std::uint32_t access) const {
  std::vector<trace::Access> accesses;
  if (access >= of_warp(warp).size()) return accesses;
  const Turn turn = turns_[warp][access];
  for (std::uint32_t w = 0; w < warps(); ++w) {
    const auto found = by_pc_.find(key(turn.pc, w));
    if (found != by_pc_.end() && turn.turn < found->second.size())
      accesses.push_back(trace_->access(b_, found->second[turn.turn]));
  }
  return accesses;
}

}  // namespace warplens::report
