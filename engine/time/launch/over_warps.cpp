#include "engine/time/launch/over_warps.hpp"

#include <algorithm>
#include <set>

#include "engine/catalog/launches.hpp"

namespace warplens::time {
namespace {

// Powers of two, the number that fits, and the most.
std::set<int> numbers_of_blocks(int fits, int most) {
  std::set<int> numbers{fits, most};
  for (int blocks = 1; blocks < most; blocks *= 2) numbers.insert(blocks);
  return numbers;
}

int warps_in_block(const run::Job& job) {
  return static_cast<int>((catalog::threads_in_block(job.plan.launch) + 31) / 32);
}

// That an SM could hold by its warps and blocks alone, and that it gets of this grid.
int most_blocks(const run::Job& job, const device::Occupancy& fit) {
  const auto sms = static_cast<std::uint64_t>(std::max(job.plan.device.sm_count, 1));
  const auto gets = (catalog::blocks_in_grid(job.plan.launch) + sms - 1) / sms;
  return static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(std::min(fit.by_warps, fit.by_blocks)), gets));
}

}  // namespace

Result<OverWarps> over_warps(const run::Run& run, const std::atomic<bool>& cancel) {
  const auto counted = counted_of(run, cancel);
  if (!counted) return counted.error();
  const auto fit = occupancy_of(*run.job);
  if (!fit) return fit.error();
  OverWarps result;
  result.occupancy = *fit;
  const int most = most_blocks(*run.job, *fit), fits = std::min(fit->blocks_per_sm, most);
  for (const int blocks : numbers_of_blocks(fits, most)) {
    const auto prediction =
        predict(*run.job, *run.kernel, *counted, {.blocks_per_sm = blocks, .cancel = cancel});
    if (!prediction) return prediction.error();
    if (blocks == fits) result.now = result.points.size(), result.prediction = *prediction;
    result.points.push_back({blocks, blocks * warps_in_block(*run.job), prediction->seconds});
  }
  return result;
}

}  // namespace warplens::time
