// Global memory: lanes' addresses -> transactions, by the four rules of the devices' generations.
#include <algorithm>

#include "engine/analysis/access_sets.hpp"
#include "engine/analysis/pieces.hpp"

namespace warplens::analysis {
namespace {

int distinct(const WarpAccess& access, int unit) {
  const int shift = std::countr_zero(static_cast<unsigned>(unit));
  DistinctKeys keys;
  for_each_lane(access.active, [&](int lane) { keys.insert(access.address[lane] >> shift); });
  return keys.size();
}

struct Phase {
  const WarpAccess& access;
  std::uint32_t mask;
  int number, first_lane;
};

// CUDA C Programming Guide 4.2, F.3.2.1: the k-th lane of the half-warp reads the k-th word of a segment of
// 16 words, aligned to its size; lanes may be inactive. One 64-byte, one 128-byte or two 128-byte
// transactions; else "16 separate 32-byte memory transactions", of which a half-warp with inactive lanes
// needs one for each active lane.
template <class Emit>
void half_warp_strict(const Phase& phase, Emit emit) {
  const WarpAccess& access = phase.access;
  const auto width = static_cast<std::uint64_t>(access.width);
  const auto start_of = [&](int lane) {
    return access.address[lane] - static_cast<unsigned>(lane - phase.first_lane) * width;
  };
  const std::uint64_t start = start_of(std::countr_zero(phase.mask));
  bool coalesced = width >= 4 && start % (16 * width) == 0;
  for_each_lane(phase.mask, [&](int lane) { coalesced = coalesced && start_of(lane) == start; });
  if (!coalesced)
    return for_each_lane(phase.mask, [&](int lane) {
      emit({access.address[lane] / 32 * 32, 32, 1, 1u << lane, phase.number});
    });
  const std::uint32_t size = width == 4 ? 64 : 128;
  for (std::uint64_t at = start; at < start + 16 * width; at += size) {
    Transaction one{at, size, size / 32, 0, phase.number};
    for_each_lane(phase.mask,
                  [&](int lane) { one.lanes |= access.address[lane] - at < size ? 1u << lane : 0u; });
    emit(one);
  }
}

// Guide 4.2, F.3.2.2: take the segment of the lowest active lane, serve every lane in it, halve the
// transaction while only one half of it is used, down to 32 bytes.
template <class Emit>
void half_warp_segments(const Phase& phase, Emit emit) {
  const WarpAccess& access = phase.access;
  const std::uint32_t segment = access.width == 1 ? 32 : access.width == 2 ? 64 : 128;
  for (std::uint32_t waiting = phase.mask; waiting != 0;) {
    Transaction one{access.address[std::countr_zero(waiting)] / segment * segment, segment, 0, 0,
                    phase.number};
    std::uint64_t low = ~std::uint64_t{0}, high = 0;  // bytes used: [low, high)
    for_each_lane(waiting, [&](int lane) {
      if (access.address[lane] - one.address >= segment) return;
      one.lanes |= 1u << lane;
      low = std::min(low, access.address[lane]);
      high = std::max(high, access.address[lane] + static_cast<unsigned>(access.width));
    });
    while (one.size > 32 && low / (one.size / 2) == (high - 1) / (one.size / 2)) {
      one.size /= 2;
      one.address = low / one.size * one.size;
    }
    one.sectors = one.size / 32;
    emit(one);
    waiting &= ~one.lanes;
  }
}

// Guide 4.2, F.4.2: requests of half-warps for 8 bytes, quarter-warps for 16; each takes whole 128-byte
// lines, ascending. Stores are not kept in L1 and go to L2 in 32-byte sectors.
template <class Emit>
void lines_128(const Phase& phase, Emit emit) {
  const WarpAccess& access = phase.access;
  for (std::uint32_t waiting = phase.mask; waiting != 0;) {
    std::uint64_t line = ~std::uint64_t{0};
    for_each_lane(waiting, [&](int lane) { line = std::min(line, access.address[lane] / 128); });
    std::uint32_t lanes = 0, sectors = 0;  // of the line, bit by bit
    for_each_lane(waiting, [&](int lane) {
      if (access.address[lane] / 128 != line) return;
      lanes |= 1u << lane;
      sectors |= 1u << access.address[lane] / 32 % 4;
    });
    const auto moved = access.op == AccessOp::load ? 4u : static_cast<std::uint32_t>(std::popcount(sectors));
    emit({line * 128, 128, moved, lanes, phase.number});
    waiting &= ~lanes;
  }
}

template <class Rule>
void in_phases(const WarpAccess& access, int lanes, Rule rule) {
  for (int p = 0; p < 32 / lanes; ++p)
    if (const std::uint32_t mask = access.active & phase_mask(p, lanes); mask != 0)
      rule(Phase{access, mask, p, p * lanes});
}

// Calls emit(Transaction) for what devices before 3.x move; since then each sector is a transaction.
template <class Emit>
void for_each_transaction(const WarpAccess& access, device::GlobalRule rule, Emit emit) {
  switch (rule) {
    case device::GlobalRule::half_warp_strict:
      return in_phases(access, 16, [&](const Phase& phase) { half_warp_strict(phase, emit); });
    case device::GlobalRule::half_warp_segments:
      return in_phases(access, 16, [&](const Phase& phase) { half_warp_segments(phase, emit); });
    case device::GlobalRule::lines_128:
      return in_phases(access, std::min(32, 128 / access.width),
                       [&](const Phase& phase) { lines_128(phase, emit); });
    case device::GlobalRule::sectors_32:
      return;
  }
}

Sector& sector_at(std::vector<Sector>& sectors, std::uint64_t id) {
  auto at = std::lower_bound(sectors.begin(), sectors.end(), id,
                             [](const Sector& sector, std::uint64_t wanted) { return sector.id < wanted; });
  if (at == sectors.end() || at->id != id) at = sectors.insert(at, {id, 0, 0});
  return *at;
}

void add_transaction(GlobalCounts& counts, const Transaction& one) {
  ++counts.transactions;
  counts.sectors += static_cast<int>(one.sectors);
}

// With what follows from requests, sectors and bytes used.
GlobalCounts complete(GlobalCounts counts) {
  counts.bytes_moved = 32 * counts.sectors;
  counts.ideal_sectors = (counts.bytes_used + 31) / 32;
  return counts;
}

}  // namespace

int bytes_used(const WarpAccess& access) { return access.width * distinct(access, access.width); }

GlobalCounts count_global(const WarpAccess& access, const device::Device& device) {
  GlobalCounts counts;
  if (access.active == 0) return counts;
  counts.requests = 1;
  if (device.global_rule == device::GlobalRule::sectors_32)
    counts.transactions = counts.sectors = distinct(access, 32);
  else
    for_each_transaction(access, device.global_rule,
                         [&](const Transaction& one) { add_transaction(counts, one); });
  counts.bytes_used = bytes_used(access);
  return complete(counts);
}

GlobalCounts count_local(const WarpAccess& access) { return counts_of(local_pieces(access)); }

namespace {

void move_each_sector(GlobalPieces& pieces) {
  for (const Sector& sector : pieces.sectors)
    pieces.transactions.push_back({sector.id * 32, 32, 1, sector.lanes, 0});
}

}  // namespace

GlobalPieces global_pieces(const WarpAccess& access, const device::Device& device) {
  GlobalPieces pieces;
  const std::uint32_t bytes = (1u << access.width) - 1;
  for_each_lane(access.active, [&](int lane) {
    Sector& sector = sector_at(pieces.sectors, access.address[lane] / 32);
    sector.lanes |= 1u << lane;
    sector.used |= bytes << access.address[lane] % 32;
  });
  if (device.global_rule == device::GlobalRule::sectors_32) move_each_sector(pieces);
  for_each_transaction(access, device.global_rule,
                       [&](const Transaction& one) { pieces.transactions.push_back(one); });
  return pieces;
}

GlobalPieces local_pieces(const WarpAccess& access) {
  GlobalPieces pieces;
  const int bytes = std::min(access.width, 4);  // of a lane in one word
  for_each_lane(access.active, [&](int lane) {
    const std::uint64_t end = access.address[lane] + static_cast<unsigned>(access.width);
    for (std::uint64_t at = access.address[lane]; at < end; at += static_cast<unsigned>(bytes)) {
      Sector& sector = sector_at(pieces.sectors, at / 4 * 4 + static_cast<unsigned>(lane / 8));
      sector.lanes |= 1u << lane;
      sector.used |= ((1u << bytes) - 1) << (static_cast<unsigned>(lane % 8 * 4) + at % 4);
    }
  });
  move_each_sector(pieces);
  return pieces;
}

GlobalCounts counts_of(const GlobalPieces& pieces) {
  GlobalCounts counts;
  counts.requests = pieces.sectors.empty() ? 0 : 1;
  for (const Transaction& one : pieces.transactions) add_transaction(counts, one);
  for (const Sector& sector : pieces.sectors) counts.bytes_used += std::popcount(sector.used);
  return complete(counts);
}

bool moves_all(const Transaction& transaction) { return transaction.sectors * 32 >= transaction.size; }

std::set<std::uint64_t> moved_sectors(const GlobalPieces& pieces) {
  std::set<std::uint64_t> moved;
  for (const Sector& sector : pieces.sectors) moved.insert(sector.id);
  for (const Transaction& one : pieces.transactions)
    for (std::uint64_t a = one.address; a < one.address + one.size && moves_all(one); a += 32)
      moved.insert(a / 32);
  return moved;
}

}  // namespace warplens::analysis
