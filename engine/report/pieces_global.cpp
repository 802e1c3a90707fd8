#include <algorithm>
#include <bit>
#include <map>

#include "engine/report/pieces.hpp"

namespace warplens::report {
namespace {

using analysis::AccessOp, analysis::WarpAccess;

template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

std::uint32_t bits(std::uint32_t first, std::uint32_t count) {
  return (count >= 32 ? 0xffffffffu : (1u << count) - 1) << first;
}

std::uint32_t used_bytes(const WarpAccess& access, std::uint32_t lane) {
  return bits(access.address[lane] % 32, static_cast<std::uint32_t>(access.width));
}

std::vector<Sector> touched(const WarpAccess& access, std::uint32_t mask) {
  std::map<std::uint64_t, Sector> sectors;
  for_each_lane(mask, [&](std::uint32_t lane) {
    Sector& sector = sectors[access.address[lane] / 32];
    sector.id = access.address[lane] / 32;
    sector.lanes |= 1u << lane;
    sector.used |= used_bytes(access, lane);
  });
  std::vector<Sector> sorted;
  for (const auto& [id, sector] : sectors) sorted.push_back(sector);
  return sorted;
}

struct Phase {
  const WarpAccess& access;
  std::uint32_t mask;
  int number, first_lane;
};

// 1.0 and 1.1: the k-th lane of the half-warp has to ask for the k-th word of an aligned segment of 16 (CUDA
// C Programming Guide 4.2, F.3.2.1).
void strict(const Phase& phase, std::vector<Transaction>& out) {
  const WarpAccess& access = phase.access;
  const auto width = static_cast<std::uint64_t>(access.width);
  const auto start_of = [&](std::uint32_t lane) {
    return access.address[lane] - (lane - static_cast<std::uint32_t>(phase.first_lane)) * width;
  };
  const std::uint64_t start = start_of(static_cast<std::uint32_t>(std::countr_zero(phase.mask)));
  bool coalesced = access.width >= 4 && start % (16 * width) == 0;
  for_each_lane(phase.mask, [&](std::uint32_t lane) { coalesced &= start_of(lane) == start; });
  if (!coalesced) {
    for_each_lane(phase.mask, [&](std::uint32_t lane) {
      out.push_back({access.address[lane] / 32 * 32, 32, 1, 1u << lane, phase.number});
    });
    return;
  }
  const std::uint32_t size = access.width == 4 ? 64 : 128;
  for (std::uint64_t at = start; at < start + 16 * width; at += size) {
    Transaction one{at, size, size / 32, 0, phase.number};
    for_each_lane(phase.mask, [&](std::uint32_t lane) {
      one.lanes |= access.address[lane] - at < size ? 1u << lane : 0u;
    });
    out.push_back(one);
  }
}

// 1.2 and 1.3: the segment of the lowest lane left, halved while one half of it is enough (guide 4.2,
// F.3.2.2).
void segments(const Phase& phase, std::vector<Transaction>& out) {
  const WarpAccess& access = phase.access;
  const std::uint32_t segment = access.width == 1 ? 32 : access.width == 2 ? 64 : 128;
  for (std::uint32_t waiting = phase.mask; waiting != 0;) {
    Transaction one{access.address[static_cast<std::size_t>(std::countr_zero(waiting))] / segment * segment,
                    segment, 0, 0, phase.number};
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for_each_lane(waiting, [&](std::uint32_t lane) {
      if (access.address[lane] / segment != one.address / segment) return;
      one.lanes |= 1u << lane;
      low = std::min(low, access.address[lane]);
      high = std::max(high, access.address[lane] + static_cast<std::uint64_t>(access.width));
    });
    while (one.size > 32 && low / (one.size / 2) == (high - 1) / (one.size / 2)) {
      one.size /= 2;
      one.address = low / one.size * one.size;
    }
    one.sectors = one.size / 32;
    out.push_back(one);
    waiting &= ~one.lanes;
  }
}

// 2.x: 128-byte lines; loads move all of them, stores their touched sectors (guide 4.2, F.4.2).
void lines(const Phase& phase, std::vector<Transaction>& out) {
  for (const Sector& sector : touched(phase.access, phase.mask)) {
    const std::uint64_t line = sector.id / 4 * 128;
    if (out.empty() || out.back().address != line || out.back().phase != phase.number)
      out.push_back({line, 128, phase.access.op == AccessOp::load ? 4u : 0u, 0, phase.number});
    out.back().lanes |= sector.lanes;
    if (phase.access.op == AccessOp::store) ++out.back().sectors;
  }
}

template <class Rule>
void in_phases(const WarpAccess& access, int lanes, Rule rule, std::vector<Transaction>& out) {
  for (int p = 0; p < 32 / lanes; ++p)
    if (const std::uint32_t mask =
            access.active & bits(static_cast<std::uint32_t>(p * lanes), static_cast<std::uint32_t>(lanes));
        mask != 0)
      rule(Phase{access, mask, p, p * lanes}, out);
}

}  // namespace

GlobalPieces global_pieces(const WarpAccess& access, const device::Device& device) {
  GlobalPieces pieces;
  pieces.sectors = touched(access, access.active);
  switch (device.global_rule) {
    case device::GlobalRule::half_warp_strict:
      in_phases(access, 16, strict, pieces.transactions);
      break;
    case device::GlobalRule::half_warp_segments:
      in_phases(access, 16, segments, pieces.transactions);
      break;
    case device::GlobalRule::lines_128:
      in_phases(access, std::min(32, 128 / access.width), lines, pieces.transactions);
      break;
    case device::GlobalRule::sectors_32:
      for (const Sector& sector : pieces.sectors)
        pieces.transactions.push_back({sector.id * 32, 32, 1, sector.lanes, 0});
      break;
  }
  return pieces;
}

analysis::GlobalCounts counts_of(const GlobalPieces& pieces) {
  analysis::GlobalCounts counts;
  counts.requests = pieces.sectors.empty() ? 0 : 1;
  counts.transactions = static_cast<int>(pieces.transactions.size());
  for (const Transaction& one : pieces.transactions) counts.sectors += static_cast<int>(one.sectors);
  for (const Sector& sector : pieces.sectors) counts.bytes_used += std::popcount(sector.used);
  counts.bytes_moved = 32 * counts.sectors;
  counts.ideal_sectors = (counts.bytes_used + 31) / 32;
  return counts;
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

}  // namespace warplens::report
