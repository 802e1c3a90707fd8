#include "engine/emulator/access_units.hpp"

#include "engine/analysis/other_access.hpp"
#include "engine/emulator/memory.hpp"

namespace warplens::emulator {

using analysis::WarpAccess, ptx::Space;

namespace {

AccessUnits units(int count, int ideal, int bytes) {
  return {static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(ideal),
          static_cast<std::uint32_t>(bytes)};
}

AccessUnits with_count(AccessUnits units, int count) {
  units.count = static_cast<std::uint32_t>(count);
  return units;
}

}  // namespace

std::uint32_t lanes_elsewhere(Space space, std::uint32_t active,
                              const std::array<std::uint64_t, 32>& address) {
  std::uint32_t lanes = 0;
  if (space != Space::shared) return lanes;
  for (std::uint32_t lane = 0; lane < 32; ++lane) lanes |= address[lane] >> kRankShift != 0 ? 1u << lane : 0;
  return lanes & active;
}

WarpAccess without_elsewhere(WarpAccess access, Space space, AccessKind kind) {
  if (!kCountsAtomicsElsewhere || kind != AccessKind::atomic)
    access.active &= ~lanes_elsewhere(space, access.active, access.address);
  return access;
}

AccessUnits plain_units(const WarpAccess& access, Space space, const device::Device& device) {
  if (space == Space::shared) {
    const auto counts = analysis::count_shared(access, device);
    return units(counts.wavefronts, counts.ideal_wavefronts, analysis::bytes_used(access));
  }
  const auto counts =
      space == Space::local ? analysis::count_local(access) : analysis::count_global(access, device);
  return units(counts.sectors, counts.ideal_sectors, counts.bytes_used);
}

WarpAccess lanes_of_atomic(WarpAccess access, const ptx::Instruction& atomic) {
  if (!atomic.combined) return access;
  for (std::uint32_t lane = 1; lane < 32; ++lane)
    for (std::uint32_t before = 0; before < lane; ++before)
      if ((access.active >> before & 1) != 0 && access.address[before] == access.address[lane])
        access.active &= ~(1u << lane);
  return access;
}

AccessUnits atomic_units(const WarpAccess& all, const ptx::Instruction& atomic, Space space,
                         const device::Device& device) {
  const WarpAccess access = lanes_of_atomic(all, atomic);
  const AccessUnits plain = plain_units(access, space, device);
  if (space == Space::shared) return with_count(plain, analysis::shared_atomic_wavefronts(access));
  if (space == Space::global) return with_count(plain, analysis::global_atomic_sectors(access));
  return plain;
}

AccessUnits matrix_units(WarpAccess rows, int matrices, const device::Device& device) {
  rows.active &= ~0u >> (32 - 8 * matrices);
  AccessUnits plain = plain_units(rows, Space::shared, device);
  plain.ideal = static_cast<std::uint32_t>(matrices);
  return with_count(plain, analysis::matrix_wavefronts(rows));
}

AccessUnits copy_units(const WarpAccess& source, const std::array<std::uint64_t, 32>& target,
                       ptx::CacheOp cache, const device::Device& device) {
  const AccessUnits plain = plain_units(source, Space::global, device);
  return cache == ptx::CacheOp::cg ? with_count(plain, analysis::copy_past_l1_sectors(source, target))
                                   : plain;
}

AccessCounts& totals_of(Counters& counters, Space space, AccessKind kind) {
  const bool atomic = kind == AccessKind::atomic, store = kind == AccessKind::store;
  if (space == Space::shared)
    return atomic ? counters.shared_atomic : store ? counters.shared_store : counters.shared_load;
  if (space == Space::constant) return counters.constant_load;
  if (space == Space::local) return store ? counters.local_store : counters.local_load;
  return atomic ? counters.global_atomic : store ? counters.global_store : counters.global_load;
}

}  // namespace warplens::emulator
