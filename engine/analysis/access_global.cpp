// Global memory: lanes' addresses -> transactions, by the four rules of the devices' generations.
#include <algorithm>

#include "engine/analysis/access.hpp"
#include "engine/analysis/access_sets.hpp"

namespace warplens::analysis {
namespace {

using Lanes = std::array<std::uint64_t, 32>;

int distinct(const Lanes& address, std::uint32_t mask, int unit) {
  const int shift = std::countr_zero(static_cast<unsigned>(unit));
  DistinctKeys keys;
  for_each_lane(mask, [&](int lane) { keys.insert(address[lane] >> shift); });
  return keys.size();
}

void add_transaction(GlobalCounts& counts, int bytes) {
  ++counts.transactions;
  counts.sectors += bytes / 32;
}

// CUDA C Programming Guide 4.2, F.3.2.1: the k-th lane of the half-warp reads the k-th word of a segment of
// 16 words, aligned to its size; lanes may be inactive.
bool is_coalesced_strict(const WarpAccess& access, std::uint32_t mask, int first_lane) {
  if (access.width < 4) return false;
  const std::uint64_t segment = 16u * static_cast<unsigned>(access.width);
  const auto start_of = [&](int lane) {
    return access.address[lane] - static_cast<std::uint64_t>((lane - first_lane) * access.width);
  };
  const std::uint64_t start = start_of(std::countr_zero(mask));
  bool in_sequence = start % segment == 0;
  for_each_lane(mask, [&](int lane) { in_sequence = in_sequence && start_of(lane) == start; });
  return in_sequence;
}

// One 64-byte, one 128-byte or two 128-byte transactions; else "16 separate 32-byte memory transactions", of
// which a half-warp with inactive lanes needs one for each active lane.
void half_warp_strict(const WarpAccess& access, std::uint32_t mask, int first_lane, GlobalCounts& counts) {
  if (!is_coalesced_strict(access, mask, first_lane))
    return for_each_lane(mask, [&](int) { add_transaction(counts, 32); });
  add_transaction(counts, access.width == 4 ? 64 : 128);
  if (access.width == 16) add_transaction(counts, 128);
}

// Guide 4.2, F.3.2.2: take the segment of the lowest active lane, serve every lane in it, halve the
// transaction while only one half of it is used, down to 32 bytes.
void half_warp_segments(const WarpAccess& access, std::uint32_t mask, int, GlobalCounts& counts) {
  const std::uint64_t segment = access.width == 1 ? 32 : access.width == 2 ? 64 : 128;
  while (mask != 0) {
    const std::uint64_t base = access.address[std::countr_zero(mask)] / segment * segment;
    std::uint64_t low = segment, high = 0;  // bytes used within the segment: [low, high)
    std::uint32_t served = 0;
    for_each_lane(mask, [&](int lane) {
      const std::uint64_t offset = access.address[lane] - base;
      if (offset >= segment) return;
      low = std::min(low, offset);
      high = std::max(high, offset + static_cast<unsigned>(access.width));
      served |= 1u << lane;
    });
    std::uint64_t size = segment, start = 0;
    while (size > 32 && (high <= start + size / 2 || low >= start + size / 2)) {
      size /= 2;
      if (low >= start + size) start += size;
    }
    add_transaction(counts, static_cast<int>(size));
    mask &= ~served;
  }
}

// Guide 4.2, F.4.2: requests of half-warps for 8 bytes, quarter-warps for 16; each takes whole 128-byte
// lines. Stores are not kept in L1 and go to L2 in 32-byte sectors.
void lines_128(const WarpAccess& access, std::uint32_t mask, int, GlobalCounts& counts) {
  const int lines = distinct(access.address, mask, 128);
  counts.transactions += lines;
  counts.sectors += access.op == AccessOp::load ? 4 * lines : distinct(access.address, mask, 32);
}

void sectors_32(const WarpAccess& access, std::uint32_t mask, int, GlobalCounts& counts) {
  const int sectors = distinct(access.address, mask, 32);
  counts.transactions += sectors;
  counts.sectors += sectors;
}

template <class Rule>
void in_phases(const WarpAccess& access, int lanes, Rule rule, GlobalCounts& counts) {
  for (int p = 0; p < 32 / lanes; ++p)
    if (const std::uint32_t mask = access.active & phase_mask(p, lanes); mask != 0)
      rule(access, mask, p * lanes, counts);
}

}  // namespace

GlobalCounts count_global(const WarpAccess& access, const device::Device& device) {
  GlobalCounts counts;
  if (access.active == 0) return counts;
  counts.requests = 1;
  switch (device.global_rule) {
    case device::GlobalRule::half_warp_strict:
      in_phases(access, 16, half_warp_strict, counts);
      break;
    case device::GlobalRule::half_warp_segments:
      in_phases(access, 16, half_warp_segments, counts);
      break;
    case device::GlobalRule::lines_128:
      in_phases(access, std::min(32, 128 / access.width), lines_128, counts);
      break;
    case device::GlobalRule::sectors_32:
      sectors_32(access, access.active, 0, counts);
      break;
  }
  counts.bytes_moved = 32 * counts.sectors;
  counts.bytes_used = access.width * distinct(access.address, access.active, access.width);
  counts.ideal_sectors = (counts.bytes_used + 31) / 32;
  return counts;
}

}  // namespace warplens::analysis
