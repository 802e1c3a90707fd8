#include <algorithm>
#include <bit>

#include "engine/analysis/other_access.hpp"
#include "engine/report/pieces.hpp"

namespace warplens::report {
namespace {

using analysis::WarpAccess, emulator::AccessKind;

// Local memory is interleaved: word w of lane l lies at 128 * w + 4 * l of the warp's area.
GlobalPieces local_pieces(const WarpAccess& access) {
  GlobalPieces pieces;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint64_t end = access.address[lane] + static_cast<std::uint64_t>(access.width);
    for (std::uint64_t at = access.address[lane]; at < end; ++at) {
      const std::uint64_t id = at / 4 * 4 + lane / 8;
      auto sector = std::lower_bound(pieces.sectors.begin(), pieces.sectors.end(), id,
                                     [](const Sector& s, std::uint64_t wanted) { return s.id < wanted; });
      if (sector == pieces.sectors.end() || sector->id != id)
        sector = pieces.sectors.insert(sector, {id, 0, 0});
      sector->lanes |= 1u << lane;
      sector->used |= 1u << (lane % 8 * 4 + at % 4);
    }
  }
  for (const Sector& sector : pieces.sectors)
    pieces.transactions.push_back({sector.id * 32, 32, 1, sector.lanes, 0});
  return pieces;
}

void fill_shared(AccessPieces& pieces, const trace::Access& access, const WarpAccess& plain,
                 const ptx::Instruction& instruction, const device::Device& device) {
  pieces.is_shared = true;
  if (access.kind == AccessKind::atomic) {
    pieces.shared = shared_atomic_pieces(plain);
    pieces.exact = false;
  } else if (instruction.opcode == ptx::Opcode::ldmatrix || instruction.opcode == ptx::Opcode::stmatrix) {
    pieces.shared = matrix_pieces(plain);
  } else {
    pieces.shared = shared_pieces(plain, device);
  }
  const auto counts = counts_of(pieces.shared);
  pieces.units = counts.wavefronts;
  pieces.ideal = counts.ideal_wavefronts;
  if (access.kind == AccessKind::async_copy) {  // its arrival in shared memory is no request of the warp
    pieces.units = pieces.ideal = 0;
    pieces.exact = false;
  }
}

void fill_global(AccessPieces& pieces, const trace::Access& access, const WarpAccess& plain,
                 const ptx::Instruction& instruction, const device::Device& device) {
  pieces.global = access.space == ptx::Space::local ? local_pieces(plain) : global_pieces(plain, device);
  const auto counts = counts_of(pieces.global);
  pieces.units = counts.sectors;
  pieces.ideal = counts.ideal_sectors;
  if (access.kind == AccessKind::atomic) {
    pieces.units = analysis::global_atomic_sectors(plain).value;
    pieces.exact = false;
  }
  // Sectors of cp.async.cg depend on the lanes' targets too.
  if (access.kind == AccessKind::async_copy && instruction.cache == ptx::CacheOp::cg) pieces.exact = false;
}

}  // namespace

WarpAccess warp_access(const trace::Access& access) {
  WarpAccess plain;
  plain.op = access.kind == AccessKind::store ? analysis::AccessOp::store : analysis::AccessOp::load;
  plain.width = access.width;
  plain.active = access.active;
  plain.address = access.address;
  return plain;
}

AccessPieces access_pieces(const trace::Access& access, const ptx::Instruction& instruction,
                           const device::Device& device) {
  AccessPieces pieces;
  const WarpAccess plain = warp_access(access);
  if (access.space == ptx::Space::shared)
    fill_shared(pieces, access, plain, instruction, device);
  else
    fill_global(pieces, access, plain, instruction, device);
  return pieces;
}

}  // namespace warplens::report
