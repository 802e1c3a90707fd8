#include "engine/check/order/order.hpp"

#include <algorithm>
#include <iterator>

#include "engine/emulator/memory.hpp"

namespace warplens::check {
namespace {

// The newest: kernels with a channel for every element do not tell each other more than that.
constexpr std::size_t kMostHeard = 128, kMostPassedOn = 16;
// Of what was heard through others.
constexpr std::size_t kMostOfChannel = 64, kMostLookedAt = 512;

void join(std::vector<Heard>& to, const std::vector<Heard>& from) {
  for (const Heard& news : from) {
    const auto same =
        std::find_if(to.begin(), to.end(), [&](const Heard& old) { return old.channel == news.channel; });
    if (same != to.end()) {
      same->count = std::max(same->count, news.count);
      continue;
    }
    if (to.size() >= kMostHeard) to.erase(to.begin());
    to.push_back(news);
  }
}

bool covers(const Heard& heard, const Moment& stamp) {
  const auto of_block = heard.channel->of_block.find(stamp.block - 1);
  if (of_block == heard.channel->of_block.end()) return false;
  const auto& at = of_block->second;  // in order, and each knows what those before it knew
  const auto end = std::lower_bound(at.begin(), at.end(), heard.count);
  return end != at.begin() && heard.channel->releases[*std::prev(end)].clocks[stamp.warp] >= stamp.clock;
}

}  // namespace

Channel* Channels::find(std::uint64_t address) {
  const auto found = channels_.find(address);
  return found == channels_.end() ? nullptr : found->second.get();
}

Channel& Channels::at(std::uint64_t address) {
  auto& channel = channels_[address];
  if (channel == nullptr) channel = std::make_unique<Channel>();
  return *channel;
}

Order::Order(std::uint32_t block, std::uint32_t warps, Channels& channels)
    : block_(block), warps_(warps), channels_(channels) {
  for (std::size_t w = 0; w < warps_.size(); ++w) warps_[w].clocks[w] = 1;
}

Stamp Order::stamp(std::uint32_t warp, std::uint32_t pc, std::uint32_t lanes) const {
  const WarpClock& own = warps_[warp];
  Stamp stamp;
  stamp.block = block_ + 1;
  stamp.clock = own.clocks[warp];
  stamp.meeting = own.lanes.now();
  stamp.step = step_;
  stamp.pc = pc;
  stamp.lanes = lanes;
  stamp.warp = static_cast<std::uint8_t>(warp);
  return stamp;
}

// Whether one of the releases heard covers the stamp, itself or by what its block had heard before it. Each
// release is looked at once: behind a lock that blocks take in turn every one has heard all before it.
bool Order::told(const std::vector<Heard>& heard, const Moment& stamp) {
  struct Seen {
    const Channel* channel;
    std::size_t first, end;  // of its releases
  };
  std::vector<Seen> seen;
  std::vector<Heard> next(heard.rbegin(), heard.rend());
  for (std::size_t looked_at = 0; !next.empty() && looked_at < kMostLookedAt;) {
    const Heard one = next.back();
    next.pop_back();
    if (covers(one, stamp)) return true;
    const std::size_t first = one.count > kMostOfChannel ? one.count - kMostOfChannel : 0;
    auto known =
        std::find_if(seen.begin(), seen.end(), [&](const Seen& s) { return s.channel == one.channel; });
    if (known == seen.end()) known = seen.insert(seen.end(), {one.channel, one.count, one.count});
    for (std::size_t at = one.count; at-- > first;) {
      if (at >= known->first && at < known->end) {
        at = known->first;  // those were looked at
        if (at <= first) break;
        continue;
      }
      ++looked_at;
      const Release& release = one.channel->releases[at];
      next.insert(next.end(), release.heard.begin(), release.heard.end());
    }
    known->first = std::min(known->first, first);
    known->end = std::max(known->end, one.count);
  }
  return false;
}

void Order::arrive(int id, std::uint32_t warp) {
  join(arrived_[id], warps_[warp].clocks);
  ++warps_[warp].clocks[warp];
}

void Order::barrier(int id, std::span<const emulator::BarrierArrival> arrivals) {
  Clocks all{}, fences{}, block_fences{};
  std::vector<Heard> heard;
  bool fenced = false, block_fenced = false;
  const Phase* phase = nullptr;
  if (const auto early = arrived_.find(id); early != arrived_.end()) {
    join(all, early->second);
    arrived_.erase(early);
  }
  for (const auto& arrival : arrivals) {
    const WarpClock& one = warps_[arrival.warp];
    join(all, one.clocks);
    join(fences, one.fence);
    join(block_fences, one.block_fence);
    block_fenced |= one.block_fenced;
    join(heard, one.heard);
    fenced |= one.fenced;
    if (one.phase != nullptr && (phase == nullptr || one.phase->number > phase->number)) phase = one.phase;
  }
  for (const auto& arrival : arrivals) {
    WarpClock& one = warps_[arrival.warp];
    const std::uint32_t own = std::max(one.clocks[arrival.warp], all[arrival.warp]);
    one.clocks = all;
    one.clocks[arrival.warp] = own + 1;
    one.fence = fences;
    one.block_fence = block_fences;
    one.block_fenced = block_fenced;
    one.heard = heard;
    one.fenced = fenced;
    one.phase = phase;
    meet(arrival.warp, arrival.lanes, arrival.alive);
  }
}

void Order::arrive(std::uint32_t warp, Phase& phase) {
  WarpClock& own = warps_[warp];
  join(phase.known[block_], own.clocks);
  if (own.phase != nullptr)
    for (const auto& [block, clocks] : own.phase->known) join(phase.known[block], clocks);
  ++own.clocks[warp];
}

void Order::wait(std::uint32_t warp, const Phase& phase) {
  WarpClock& own = warps_[warp];
  own.phase = &phase;
  if (const auto known = phase.known.find(block_); known != phase.known.end())
    join(own.clocks, known->second);
}

void Order::fence(std::uint32_t warp, std::uint32_t lanes, bool of_block) {
  WarpClock& own = warps_[warp];
  own.lanes.fence(lanes);
  own.block_fence = own.clocks;
  own.block_fenced = true;
  if (!of_block) own.fence = own.clocks;
  own.fenced |= !of_block;
  ++own.clocks[warp];
}

void Order::release(std::uint32_t warp, std::uint32_t lanes, std::uint64_t address) {
  const WarpClock& own = warps_[warp];
  const bool shared = address >> 32 << 32 == emulator::kSharedWindow;
  if (!own.block_fenced) return;
  Channel& channel = channels_.at(address);
  if (own.lanes.has_fenced()) own.lanes.tell(lanes, channel.of_lanes[{block_, warp}]);
  if (!shared && !own.fenced) return;
  const Clocks& told = shared ? own.block_fence : own.fence;
  auto& of_block = channel.of_block[block_];
  if (!of_block.empty() && of_block.back() + 1 == channel.releases.size()) {
    join(channel.releases.back().clocks, told);  // nobody has heard the one before without this one
    join(channel.releases.back().heard, own.heard);
    return;
  }
  Clocks all = told;
  if (!of_block.empty()) join(all, channel.releases[of_block.back()].clocks);
  of_block.push_back(channel.releases.size());
  const std::size_t skipped = own.heard.size() > kMostPassedOn ? own.heard.size() - kMostPassedOn : 0;
  channel.releases.push_back(
      {block_, all, {own.heard.begin() + static_cast<std::ptrdiff_t>(skipped), own.heard.end()}});
}

void Order::acquire(std::uint32_t warp, std::uint32_t lanes, std::uint64_t address) {
  Channel* channel = channels_.find(address);
  if (channel == nullptr) return;
  WarpClock& own = warps_[warp];
  if (const auto told = channel->of_lanes.find({block_, warp}); lanes != 0 && told != channel->of_lanes.end())
    own.lanes.hear(lanes, told->second);
  if (channel->releases.empty()) return;
  join(own.heard, {{channel, channel->releases.size()}});
  if (const auto own_releases = channel->of_block.find(block_); own_releases != channel->of_block.end())
    join(own.clocks, channel->releases[own_releases->second.back()].clocks);
}

}  // namespace warplens::check
