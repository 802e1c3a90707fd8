#include "engine/report/pieces.hpp"

#include <bit>
#include <cstddef>
#include <map>
#include <set>

#include "engine/analysis/other_access.hpp"
#include "engine/emulator/access_units.hpp"
#include "engine/emulator/memory.hpp"

namespace warplens::report {
namespace {

using analysis::WarpAccess, emulator::AccessKind;

void fill_shared(AccessPieces& pieces, const trace::Access& access, const WarpAccess& plain,
                 const ptx::Instruction& instruction, const device::Device& device) {
  pieces.is_shared = true;
  if (access.kind == AccessKind::atomic) {
    pieces.shared = analysis::shared_atomic_pieces(emulator::lanes_of_atomic(plain, instruction));
    pieces.exact = false;
  } else if (instruction.opcode == ptx::Opcode::ldmatrix || instruction.opcode == ptx::Opcode::stmatrix) {
    pieces.shared = analysis::matrix_pieces(plain);
  } else {
    pieces.shared = analysis::shared_pieces(plain, device);
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
  pieces.global = access.space == ptx::Space::local ? analysis::local_pieces(plain)
                                                    : analysis::global_pieces(plain, device);
  const auto counts = counts_of(pieces.global);
  pieces.units = counts.sectors;
  pieces.ideal = counts.ideal_sectors;
  if (access.kind == AccessKind::atomic) {
    pieces.units = analysis::global_atomic_sectors(emulator::lanes_of_atomic(plain, instruction));
    pieces.exact = false;
  }
  // Sectors of cp.async.cg depend on the lanes' targets too.
  if (access.kind == AccessKind::async_copy && instruction.cache == ptx::CacheOp::cg) pieces.exact = false;
}

// In the order of the first lane of each.
std::vector<std::uint32_t> turns_of(const trace::Access& access) {
  std::vector<std::uint32_t> turns;
  std::map<std::uint64_t, std::size_t> turn_of;  // by address
  for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto [found, is_new] =
        turn_of.emplace(access.address[static_cast<std::size_t>(lane)], turns.size());
    if (is_new) turns.push_back(0);
    turns[found->second] |= 1u << lane;
  }
  return turns;
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

std::uint32_t lanes_elsewhere(const trace::Access& access) {
  return emulator::lanes_elsewhere(access.space, access.active, access.address);
}

std::uint64_t offset_in_block(std::uint64_t shared_address) { return shared_address & emulator::kOwnOffset; }

std::vector<std::uint32_t> ranks_elsewhere(const trace::Access& access) {
  std::set<std::uint32_t> ranks;
  for (std::uint32_t left = lanes_elsewhere(access); left != 0; left &= left - 1) {
    const std::uint64_t address = access.address[static_cast<std::size_t>(std::countr_zero(left))];
    ranks.insert(static_cast<std::uint32_t>(address >> emulator::kRankShift) - 1);
  }
  return {ranks.begin(), ranks.end()};
}

AccessPieces access_pieces(const trace::Access& access, const ptx::Instruction& instruction,
                           const device::Device& device) {
  AccessPieces pieces;
  const WarpAccess plain = emulator::without_elsewhere(warp_access(access), access.space, access.kind);
  pieces.elsewhere = access.active & ~plain.active;
  if (access.space == ptx::Space::shared)
    fill_shared(pieces, access, plain, instruction, device);
  else
    fill_global(pieces, access, plain, instruction, device);
  if (access.space == ptx::Space::constant) {
    pieces.turns = turns_of(access);
    pieces.units = static_cast<int>(pieces.turns.size()), pieces.ideal = pieces.turns.empty() ? 0 : 1;
  }
  return pieces;
}

}  // namespace warplens::report
