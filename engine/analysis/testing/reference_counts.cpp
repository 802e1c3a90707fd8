#include "engine/analysis/testing/reference_counts.hpp"

#include <algorithm>

#include "engine/analysis/access_sets.hpp"

namespace warplens::analysis {
namespace {

int distinct(const std::array<std::uint64_t, 32>& address, std::uint32_t mask, int unit) {
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

GlobalCounts reference_global(const WarpAccess& access, const device::Device& device) {
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

namespace {

// The largest number of distinct units that fall on one place, a place being the banks that a unit of `unit`
// bytes covers. With every address a multiple of the unit this equals the largest number of distinct 4-byte
// words in one bank.
int ways(const WarpAccess& access, std::uint32_t mask, int unit) {
  const int shift = std::countr_zero(static_cast<unsigned>(unit));
  const unsigned places = 128u / static_cast<unsigned>(unit);
  DistinctKeys units;
  std::array<std::uint8_t, 32> count{};
  int most = 0;
  for_each_lane(mask, [&](int lane) {
    const std::uint64_t key = access.address[lane] >> shift;
    if (units.place(key).is_new) most = std::max<int>(most, ++count[key % places]);
  });
  return most;
}

// Adds up counts(mask) over the phases of `lanes` lanes that have an active one; counts those phases as
// ideal.
template <class PhaseWavefronts>
void add_phases(SharedCounts& counts, std::uint32_t active, int lanes, PhaseWavefronts phase_wavefronts) {
  for (int p = 0; p < 32 / lanes; ++p) {
    const std::uint32_t mask = active & phase_mask(p, lanes);
    if (mask == 0) continue;
    counts.wavefronts += phase_wavefronts(mask);
    ++counts.ideal_wavefronts;
  }
}

// Whether no active pair of lanes (i, i xor distance) reads two addresses.
bool pairs_agree(const WarpAccess& access, int distance) {
  std::uint64_t differs = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int other = lane ^ distance;
    const bool both = (access.active >> lane & access.active >> other & 1u) != 0;
    differs |= both ? access.address[lane] ^ access.address[other] : 0;
  }
  return differs == 0;
}

// Measured on an H100 (9.0), assumed for every capability from 5.0 on: phases of 32, 16 or 8 lanes for up to
// 4, 8 or 16 bytes. A load whose neighbours read the same addresses is served in phases of twice as many
// lanes.
SharedCounts measured_wavefronts(const WarpAccess& access) {
  SharedCounts counts;
  const int unit = std::max(access.width, 4);
  int lanes = 128 / unit;
  if (unit > 4 && access.op == AccessOp::load && (pairs_agree(access, 1) || pairs_agree(access, 2)))
    lanes *= 2;
  add_phases(counts, access.active, lanes, [&](std::uint32_t mask) { return ways(access, mask, unit); });
  return counts;
}

// 3.x in its 4-byte mode, the default. CUDA C Programming Guide 4.2, F.5.3: a bank gives 64 bits a clock, so
// words i and i + 32 of one aligned 64-word segment do not conflict. Wider words: a clock moves 256 bytes,
// hence phases of 32 and 16 lanes for 8 and 16 bytes; the guide gives no rule for these and none was
// measured.
SharedCounts kepler_wavefronts(const WarpAccess& access) {
  SharedCounts counts;
  const int unit = std::max(access.width, 4);
  WarpAccess folded = access;  // both halves of a 256-byte segment on one place
  for (std::uint64_t& address : folded.address) address = address / 256 * 128 + address % 128;
  add_phases(counts, access.active, std::min(32, 256 / unit),
             [&](std::uint32_t mask) { return ways(folded, mask, unit); });
  return counts;
}

// 2.x. Guide 4.2, F.4.3: 32 banks, any number of words broadcast; 64-bit accesses by half-warps; 128-bit by
// quarter-warps, whose ways are one more than the banks alone would give.
SharedCounts fermi_wavefronts(const WarpAccess& access) {
  SharedCounts counts;
  const int unit = std::max(access.width, 4);
  const int extra = unit == 16 ? 1 : 0;
  add_phases(counts, access.active, 128 / unit,
             [&](std::uint32_t mask) { return ways(access, mask, unit) + extra; });
  return counts;
}

// The requests of one half-warp of a 1.x device for 32-bit words, as one entry for each distinct word.
struct HalfWarpWords {
  struct Word {
    std::uint64_t index;
    int lanes;  // still to be served
  };
  std::array<Word, 16> words;
  int count = 0;

  void add(std::uint64_t index) {
    for (int w = 0; w < count; ++w)
      if (words[w].index == index) return void(++words[w].lanes);
    words[count++] = {index, 1};
  }
};

// The word to broadcast: of the bank with most lanes waiting, the word that most of them want. -1 when all
// are served.
int broadcast_word(const HalfWarpWords& half) {
  std::array<int, 16> waiting{};
  for (int w = 0; w < half.count; ++w) waiting[half.words[w].index % 16] += half.words[w].lanes;
  int best = -1;
  const auto rank = [&](int w) { return waiting[half.words[w].index % 16] * 32 + half.words[w].lanes; };
  for (int w = 0; w < half.count; ++w)
    if (half.words[w].lanes > 0 && (best < 0 || rank(w) > rank(best))) best = w;
  return best;
}

// Guide 4.2, F.3.3.2: each step serves all lanes of one broadcast word and one lane of every other bank.
// Which word is broadcast is unspecified; this takes the choice that shortens the longest queue. A bank's one
// lane is taken from its least wanted word.
int broadcast_steps(HalfWarpWords half) {
  for (int steps = 0;; ++steps) {
    const int broadcast = broadcast_word(half);
    if (broadcast < 0) return steps;
    std::array<int, 16> served;  // word of each bank that this step serves, or -1
    served.fill(-1);
    for (int w = 0; w < half.count; ++w) {
      int& choice = served[half.words[w].index % 16];
      if (half.words[w].lanes > 0 && (choice < 0 || half.words[w].lanes < half.words[choice].lanes))
        choice = w;
    }
    served[half.words[broadcast].index % 16] = -1;
    half.words[broadcast].lanes = 0;
    for (const int w : served)
      if (w >= 0) --half.words[w].lanes;
  }
}

// A store has no broadcast; of the lanes that write one address only one does (guide 4.2, F.3.3).
int store_steps(const WarpAccess& access, std::uint32_t mask, unsigned offset) {
  DistinctKeys addresses;
  std::array<int, 16> count{};
  int most = 0;
  for_each_lane(mask, [&](int lane) {
    const std::uint64_t address = access.address[lane] + offset;
    if (addresses.place(address).is_new) most = std::max(most, ++count[address / 4 % 16]);
  });
  return most;
}

// 1.x. Guide 4.2, F.3.3: 16 banks, half-warps; F.3.3.4: wider accesses are split into 32-bit ones.
SharedCounts tesla_wavefronts(const WarpAccess& access) {
  SharedCounts counts;
  for (unsigned offset = 0; offset < static_cast<unsigned>(access.width); offset += 4)
    add_phases(counts, access.active, 16, [&](std::uint32_t mask) {
      if (access.op == AccessOp::store) return store_steps(access, mask, offset);
      HalfWarpWords half;
      for_each_lane(mask, [&](int lane) { half.add((access.address[lane] + offset) / 4); });
      return broadcast_steps(half);
    });
  return counts;
}

}  // namespace

SharedCounts reference_shared(const WarpAccess& access, const device::Device& device) {
  if (access.active == 0) return {};
  SharedCounts counts;
  switch (device.compute_capability / 10) {
    case 1:
      counts = tesla_wavefronts(access);
      break;
    case 2:
      counts = fermi_wavefronts(access);
      break;
    case 3:
      counts = kepler_wavefronts(access);
      break;
    default:
      counts = measured_wavefronts(access);
  }
  counts.requests = 1;
  return counts;
}

}  // namespace warplens::analysis
