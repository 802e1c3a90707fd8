// Sectors and wavefronts of ldmatrix, cp.async and atomics on devices of 32-byte sectors and 32 banks. Rules measured on an
// H100 (9.0); each result says whether its rule is known to be exact there or only the best fit.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/analysis/access.hpp"

namespace warplens::analysis {

enum class Certainty : std::uint8_t {
  exact,        // reproduces every access measured
  approximate,  // a fit: see the function
};
struct Estimate {
  int value = 0;
  Certainty certainty = Certainty::exact;
};

// ldmatrix .x1, .x2, .x4, plain or .trans: shared wavefronts. row[8 * m + r] is the address of row r of
// matrix m, a multiple of 16. Rows beyond 8 * matrices do not matter; matrices is 1, 2 or 4.
Estimate ldmatrix_wavefronts(std::span<const std::uint64_t> row, int matrices);

// One warp-wide cp.async. Addresses are multiples of width.
struct AsyncCopy {
  enum class Cache : std::uint8_t { ca, cg };
  Cache cache = Cache::ca;
  int width = 16;  // bytes a lane: 4, 8 or 16; 16 for cg
  std::uint32_t active = 0xffffffffu;
  std::array<std::uint64_t, 32> shared{};  // destination of each lane
  std::array<std::uint64_t, 32> global{};  // source of each lane
};

// Requests to global memory: 1 where a lane is active.
Estimate async_copy_requests(const AsyncCopy& copy);

// Sectors asked of global memory. ca: as for a load, exact. cg: one for each distinct pair of a 32-byte piece
// of shared memory and a 128-byte line of global memory; reproduces all 36 accesses measured, yet is a fit on
// those alone.
Estimate async_copy_sectors(const AsyncCopy& copy);

// Bank conflicts of the shared-memory side: approximate. ca: phases of 32, 16 or 8 lanes; a wavefront takes
// the lanes, lowest first, that meet no other on a bank they read from (global address modulo 128) or write
// to. The hardware's count also depends on the order in which lines arrive. cg: none are counted.
Estimate async_copy_conflicts(const AsyncCopy& copy);

// atom.shared on words of `access.width` bytes: wavefronts, the largest number of active lanes on one bank,
// whether or not they name the same word. Approximate: a full warp on one word was also seen to take 16.
Estimate shared_atomic_wavefronts(const WarpAccess& access);

// atom.global and red.global: sectors. Each distinct sector counts as often as its most wanted word has lanes.
// Reproduces all 108 accesses measured (4-byte words); approximate since nothing else was tried.
Estimate global_atomic_sectors(const WarpAccess& access);

}  // namespace warplens::analysis
