#include <algorithm>

#include "engine/analysis/access_sets.hpp"
#include "engine/analysis/other_access.hpp"

namespace warplens::analysis {

int copy_past_l1_sectors(const WarpAccess& source, const std::array<std::uint64_t, 32>& target) {
  DistinctKeys keys;
  // Shared memory ends far below 2^20 bytes, so the two numbers fit one key.
  for_each_lane(source.active, [&](int lane) {
    keys.insert((source.address[lane] / 128) << 20 | (target[lane] / 32 & 0xfffff));
  });
  return keys.size();
}

int global_atomic_sectors(const WarpAccess& access) {
  int sectors = 0;
  // Each step takes the sector of the lowest lane left and counts the lanes on each word of it.
  for (std::uint32_t waiting = access.active; waiting != 0;) {
    const std::uint64_t sector = access.address[std::countr_zero(waiting)] / 32;
    std::array<int, 32> lanes_at{};
    int most = 0;
    std::uint32_t served = 0;
    for_each_lane(waiting, [&](int lane) {
      if (access.address[lane] / 32 != sector) return;
      most = std::max(most, ++lanes_at[access.address[lane] % 32]);
      served |= 1u << lane;
    });
    sectors += most;
    waiting &= ~served;
  }
  return sectors;
}

}  // namespace warplens::analysis
