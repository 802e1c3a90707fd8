#include "engine/time/async_units.hpp"

#include <algorithm>
#include <limits>

namespace warplens::time {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostGroups = 32;

}  // namespace

AsyncUnits::AsyncUnits(const SmWork& work, const Parameters& parameters, std::size_t places)
    : work_(*work.async),
      p_(parameters),
      warps_per_block_(static_cast<std::size_t>(work.warps_per_block)),
      blocks_(places / warps_per_block_),
      warps_(places) {
  for (const auto& sites : work_.ops) {
    auto& of_warp = begins_.emplace_back();
    for (const auto& ops : sites) {
      auto& begins = of_warp.emplace_back();
      for (std::uint32_t i = 0; i < ops.size(); ++i)
        if (i == 0 || !ops[i - 1].more) begins.push_back(i);
    }
  }
}

void AsyncUnits::begin(std::size_t first_place) {
  Block& block = blocks_[block_of(first_place)];
  block = {};
  for (const auto& [offset, arrivals] : work_.arrivals)
    block.barriers[offset].expected = block.barriers[offset].pending = arrivals;
  for (std::size_t w = 0; w < warps_per_block_; ++w) {
    warps_[first_place + w] = {};
    warps_[first_place + w].executed.assign(work_.sites.size(), 0);
  }
}

AsyncUnits::Barrier& AsyncUnits::barrier(std::size_t place, std::uint32_t offset) {
  return blocks_[block_of(place)].barriers[offset];
}

double AsyncUnits::may_go_on(std::size_t place, const Step& step) const {
  const Warp& warp = warps_[place];
  if (warp.is_forced) return 0;
  const Block& block = blocks_[block_of(place)];
  switch (step.async) {
    case Async::wait: {
      const auto site = work_.site_of(step.pc);
      const std::size_t w = warp_of(place);
      if (!site || w >= begins_.size()) return 0;
      const auto& begins = begins_[w][*site];
      if (warp.executed[*site] >= begins.size()) return 0;
      const AsyncOp& op = work_.ops[w][*site][begins[warp.executed[*site]]];
      if (op.count == 0) return 0;
      const auto found = block.barriers.find(op.barrier);
      if (found == block.barriers.end()) return 0;
      const auto& over = found->second.over;
      return over.size() >= op.count ? over[op.count - 1] + p_.phase_latency : kNotKnown;
    }
    case Async::wait_for_products: {
      double end = 0;
      for (std::size_t g = 0; g + step.pending < warp.groups.size(); ++g) end = std::max(end, warp.groups[g]);
      return end;
    }
    case Async::wait_for_stores:
      return warp.read;
    case Async::cluster_wait:
      return warp.met < block.cluster_over.size() ? block.cluster_over[warp.met] + p_.cluster_latency
                                                  : kNotKnown;
    default:
      return 0;
  }
}

AsyncUnits::Told AsyncUnits::told(std::size_t place, const Step& step) {
  Warp& warp = warps_[place];
  warp.is_forced = false;
  if (step.async == Async::cluster_wait) ++warp.met;
  const auto site = work_.site_of(step.pc);
  const std::size_t w = warp_of(place);
  if (!site || w >= begins_.size()) return {};
  const auto& begins = begins_[w][*site];
  const std::uint32_t n = warp.executed[*site]++;
  if (n >= begins.size()) return {};
  const auto& ops = work_.ops[w][*site];
  const std::size_t end = n + 1 < begins.size() ? begins[n + 1] : ops.size();
  return {&ops[begins[n]], end - begins[n]};
}

bool AsyncUnits::end_phase(Barrier& barrier) {
  if (barrier.pending > 0 || barrier.bytes > 0) return false;
  barrier.over.push_back(barrier.last);
  barrier.pending = barrier.expected, barrier.bytes = 0, barrier.last = 0;
  return true;
}

bool AsyncUnits::arrive(std::size_t place, const AsyncOp& op, double at) {
  Barrier& to = barrier(place, op.barrier);
  to.pending -= op.count, to.bytes += op.bytes;
  to.last = std::max(to.last, at);
  return end_phase(to);
}

bool AsyncUnits::bring(std::size_t place, const AsyncOp& op, double at) {
  Barrier& to = barrier(place, op.barrier);
  to.bytes -= op.bytes;
  to.last = std::max(to.last, at);
  return end_phase(to);
}

void AsyncUnits::give_product(std::size_t place, double end, bool closes_group) {
  Warp& warp = warps_[place];
  warp.products = std::max(warp.products, end);
  if (!closes_group) return;
  warp.groups.push_back(warp.products);
  if (warp.groups.size() > kMostGroups) warp.groups.erase(warp.groups.begin());
}

void AsyncUnits::store(std::size_t place, double read) {
  warps_[place].read = std::max(warps_[place].read, read);
}

bool AsyncUnits::arrive_at_cluster(std::size_t place, double at) {
  Block& block = blocks_[block_of(place)];
  block.last_at_cluster = std::max(block.last_at_cluster, at);
  if (++block.at_cluster < static_cast<int>(warps_per_block_)) return false;
  block.cluster_over.push_back(block.last_at_cluster);
  block.at_cluster = 0, block.last_at_cluster = 0;
  return true;
}

}  // namespace warplens::time
