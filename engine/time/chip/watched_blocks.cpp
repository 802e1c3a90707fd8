#include "engine/time/chip/watched_blocks.hpp"

#include <algorithm>

#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/chip/partitions.hpp"

namespace warplens::time {
// The shared memory of an SM is the smallest split that holds its blocks, L1 what is left. What the two have
// together is 28 KB above the largest split on 8.x and 9.0 (CUDA C++ Programming Guide, compute
// capabilities).
std::int64_t l1_bytes(const device::Device& device, int blocks, std::int64_t shared) {
  if (!has_caches(device)) return 0;
  constexpr std::int64_t kAbove = 28 * 1024;
  const std::int64_t need = blocks * (shared + device.shared_reserved_per_block);
  std::int64_t split = device.shared_per_sm;
  for (const std::int64_t size : device.shared_carveouts)
    if (size >= need) split = std::min(split, size);
  const auto all = static_cast<double>(device.shared_per_sm + kAbove - split);
  return static_cast<std::int64_t>(all * parameters_of(device).l1_global);
}

namespace {

// Warp instructions of PTX that are watched, about.
constexpr double kWatched = 6e6;

std::uint64_t sm_count_of(const device::Device& device) {
  return static_cast<std::uint64_t>(std::max(device.sm_count, 1));
}

std::size_t add_block(std::vector<std::uint64_t>& blocks, std::uint64_t block) {
  const auto found = std::find(blocks.begin(), blocks.end(), block);
  const auto place = static_cast<std::size_t>(found - blocks.begin());
  if (found == blocks.end()) blocks.push_back(block);
  return place;
}

}  // namespace

WatchedBlocks blocks_to_watch(const catalog::LaunchShape& launch, const device::Device& device, int per_sm,
                              double of_a_block, std::optional<std::uint64_t> from) {
  const double most = kWatched / std::max(of_a_block, 1.0);
  const std::uint64_t grid = catalog::blocks_in_grid(launch), sms = sm_count_of(device);
  const std::uint64_t wave = sms * static_cast<std::uint64_t>(per_sm);
  const std::uint64_t middle = grid > 2 * wave ? grid / 2 / wave * wave + 5 % grid : 0;
  const std::uint64_t first = from.value_or(middle);
  WatchedBlocks chosen;
  chosen.held = std::min<std::uint64_t>(static_cast<std::uint64_t>(per_sm), (grid + sms - 1) / sms);
  // Those of the first wave. Later ones begin when one ends, each at another time.
  chosen.neighbours.abreast = std::min(1.0, static_cast<double>(wave) / static_cast<double>(grid));
  const auto watched = std::min(chosen.held, static_cast<std::uint64_t>(std::max(1.0, most)));
  for (std::uint64_t i = 0; i < watched && first + i * sms < grid; ++i)
    chosen.blocks.push_back(first + i * sms);
  chosen.neighbours.together = chosen.blocks.size();
  const std::uint64_t across = launch.grid[0];
  if (first + 1 < grid && (first + 1) % across != 0)
    chosen.neighbours.right = add_block(chosen.blocks, first + 1);
  if (first + across < grid && across > 1) chosen.neighbours.below = add_block(chosen.blocks, first + across);
  return chosen;
}

std::map<std::uint32_t, AccessProfile> profile_of_watched(const std::vector<RecordedBlock>& recorded,
                                                          const WatchedBlocks& watched,
                                                          const catalog::LaunchShape& launch,
                                                          const device::Device& device, int per_sm,
                                                          std::int64_t shared) {
  const auto together = static_cast<std::int64_t>(watched.neighbours.together);
  const std::int64_t l1 =
      l1_bytes(device, per_sm, shared) * together / static_cast<std::int64_t>(watched.held);
  auto profile = profile_of(recorded, watched.neighbours, l1);
  const double held = static_cast<double>(per_sm) * static_cast<double>(sm_count_of(device));
  const Wave wave{std::min(held, static_cast<double>(catalog::blocks_in_grid(launch))), launch.grid[0]};
  add_partitions(profile, recorded, watched.neighbours, wave, partitions_of(parameters_of(device)));
  return profile;
}

}  // namespace warplens::time
