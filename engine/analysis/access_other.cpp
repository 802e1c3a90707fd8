#include <algorithm>
#include <bit>

#include "engine/analysis/access_sets.hpp"
#include "engine/analysis/other_access.hpp"

namespace warplens::analysis {
namespace {

// The banks that `width` bytes at `address` cover, one bit for each of 32.
std::uint32_t banks_of(std::uint64_t address, int width) {
  const std::uint32_t words = width == 16 ? 0xf : width == 8 ? 0x3 : 0x1;
  return std::rotl(words, static_cast<int>(address / 4 % 32));
}

// Wavefronts that the lanes of one phase need when no two lanes of a wavefront may share a source or target
// bank.
int copy_wavefronts(const AsyncCopy& copy, std::uint32_t waiting) {
  int wavefronts = 0;
  for (; waiting != 0; ++wavefronts) {
    std::uint32_t read = 0, written = 0;
    for_each_lane(waiting, [&](int lane) {
      const std::uint32_t source = banks_of(copy.global[lane], copy.width);
      const std::uint32_t target = banks_of(copy.shared[lane], copy.width);
      if ((read & source) != 0 || (written & target) != 0) return;
      read |= source;
      written |= target;
      waiting &= ~(1u << lane);
    });
  }
  return wavefronts;
}

}  // namespace

Estimate ldmatrix_wavefronts(std::span<const std::uint64_t> row, int matrices) {
  const std::size_t used =
      std::min(row.size(), std::size_t{8} * static_cast<unsigned>(std::max(matrices, 0)));
  int wavefronts = 0;
  for (std::size_t first = 0; first < used; first += 8) {
    // A row covers four of the 32 banks: eight places for the eight rows of a matrix.
    DistinctKeys rows;
    std::array<int, 8> count{};
    int most = 0;
    for (std::size_t r = first; r < std::min(used, first + 8); ++r)
      if (rows.insert(row[r] / 16)) most = std::max(most, ++count[row[r] / 16 % 8]);
    wavefronts += most;
  }
  return {wavefronts, Certainty::exact};
}

Estimate async_copy_requests(const AsyncCopy& copy) { return {copy.active != 0 ? 1 : 0, Certainty::exact}; }

Estimate async_copy_sectors(const AsyncCopy& copy) {
  DistinctKeys keys;
  if (copy.cache == AsyncCopy::Cache::ca) {
    for_each_lane(copy.active, [&](int lane) { keys.insert(copy.global[lane] / 32); });
    return {keys.size(), Certainty::exact};
  }
  // Shared memory ends far below 2^20 bytes, so the two numbers fit one key.
  for_each_lane(copy.active, [&](int lane) {
    keys.insert((copy.global[lane] / 128) << 20 | (copy.shared[lane] / 32 & 0xfffff));
  });
  return {keys.size(), Certainty::approximate};
}

Estimate async_copy_conflicts(const AsyncCopy& copy) {
  int conflicts = 0;
  const int lanes = 128 / std::max(copy.width, 4);
  for (int p = 0; copy.cache == AsyncCopy::Cache::ca && p < 32 / lanes; ++p)
    if (const std::uint32_t mask = copy.active & phase_mask(p, lanes); mask != 0)
      conflicts += copy_wavefronts(copy, mask) - 1;
  return {conflicts, Certainty::approximate};
}

Estimate shared_atomic_wavefronts(const WarpAccess& access) {
  std::array<int, 32> count{};
  int most = 0;
  for_each_lane(access.active, [&](int lane) {
    for (std::uint32_t banks = banks_of(access.address[lane], access.width); banks != 0; banks &= banks - 1)
      most = std::max(most, ++count[static_cast<std::size_t>(std::countr_zero(banks))]);
  });
  return {most, Certainty::approximate};
}

Estimate global_atomic_sectors(const WarpAccess& access) {
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
  return {sectors, Certainty::approximate};
}

}  // namespace warplens::analysis
