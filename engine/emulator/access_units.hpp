// What one access of a warp adds to the counts: the rules of engine/analysis, chosen by space and
// instruction.
#pragma once

#include <array>
#include <cstdint>

#include "engine/analysis/access.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/emulator/observer.hpp"

namespace warplens::emulator {

// How many sectors, or wavefronts of shared memory; the ideal number; distinct bytes asked for.
struct AccessUnits {
  std::uint32_t count = 0, ideal = 0, bytes = 0;
};
// Lanes that use the shared memory of another block of the cluster (distributed shared memory).
std::uint32_t lanes_elsewhere(ptx::Space space, std::uint32_t active,
                              const std::array<std::uint64_t, 32>& address);
// The other lanes are counted. Those go through the network of the SMs: an H200's counters have no wavefront
// for their loads and stores. Whether it has some for their atomics was not measured; true: it has.
inline constexpr bool kCountsAtomicsElsewhere = false;
analysis::WarpAccess without_elsewhere(analysis::WarpAccess access, ptx::Space space, AccessKind kind);

// A plain load or store.
AccessUnits plain_units(const analysis::WarpAccess& access, ptx::Space space, const device::Device& device);
// The lanes that go to memory: of an atomic that is combined one for each address (see ptx::Instruction).
analysis::WarpAccess lanes_of_atomic(analysis::WarpAccess access, const ptx::Instruction& atomic);
// atom and red, by the rules fitted on the H100 (analysis/other_access.hpp says how exact they are).
AccessUnits atomic_units(const analysis::WarpAccess& access, const ptx::Instruction& atomic, ptx::Space space,
                         const device::Device& device);
// ldmatrix of 1, 2 or 4 matrices: each eight lanes give the rows of one.
AccessUnits matrix_units(analysis::WarpAccess rows, int matrices, const device::Device& device);
// cp.async: the lanes' sources, and their targets in shared memory.
AccessUnits copy_units(const analysis::WarpAccess& source, const std::array<std::uint64_t, 32>& target,
                       ptx::CacheOp cache, const device::Device& device);

// The total that an access of this space and kind adds to.
AccessCounts& totals_of(Counters& counters, ptx::Space space, AccessKind kind);

}  // namespace warplens::emulator
