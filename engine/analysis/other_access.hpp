// Sectors and wavefronts of ldmatrix, cp.async and atomics on devices of 32-byte sectors and 32 banks. Rules
// measured on an H100 (9.0); each says whether it is known to be exact there or only the best fit.
#pragma once

#include "engine/analysis/access.hpp"

namespace warplens::analysis {

// ldmatrix .x1, .x2, .x4, plain or .trans: wavefronts. Each group of eight lanes gives the 16-byte rows of
// one matrix; no two matrices share a wavefront. Exact.
int matrix_wavefronts(const WarpAccess& rows);

// One warp-wide cp.async.cg: sectors asked of global memory, one for each distinct pair of a 32-byte piece of
// shared memory (`target` of each lane) and a 128-byte line of global memory. Reproduces all 36 accesses
// measured, yet is a fit on those alone. (cp.async.ca asks for the sectors of a load, which is exact.)
int copy_past_l1_sectors(const WarpAccess& source, const std::array<std::uint64_t, 32>& target);

// atom.shared on words of `access.width` bytes: wavefronts, the largest number of active lanes on one bank,
// whether or not they name the same word: every lane takes its own turn at its banks. Approximate: a full
// warp on one word was also seen to take 16.
int shared_atomic_wavefronts(const WarpAccess& access);

// atom.global and red.global: sectors. Each distinct sector counts as often as its most wanted word has
// lanes. Reproduces all 108 accesses measured (4-byte words); approximate since nothing else was tried.
int global_atomic_sectors(const WarpAccess& access);

}  // namespace warplens::analysis
