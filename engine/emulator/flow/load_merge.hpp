// Which shared-memory accesses of the PTX become which ones of the machine code.
//
// What ptxas was seen to do (13.0, sm_90; some 250 probes and the machine code of every parameter set of
// kernels/):
//
// Loads. Take the aligned piece of four words (of 8 bytes where no more alignment is known) that a load falls
// in. Later loads of the same piece join the first one, in its block or in any that it dominates, where no
// path between changes shared memory (address_values.hpp says what does; stores to global memory, shuffles
// and votes do not) and the first is not in a loop that the other is outside of. If three or four words are
// wanted, one LDS.128 loads all four; if two that make an aligned pair, an LDS.64; other words stay apart,
// and one that is wanted twice is loaded once. So a load may be issued earlier, wider and by more paths than
// the PTX says: the remainder of an unrolled loop is one LDS.128. Elements of other sizes follow the same
// rule, four of 2 bytes or two of 8; bytes and signed halves do not merge. Parts of a vector load that nobody
// reads are not wanted. A guarded load (@%p) may join but not be the first. Volatile loads stay as they are.
//
// Stores. Consecutive stores to one aligned piece, in one block, with no other access to shared memory
// between them: four words become one STS.128, an aligned pair an STS.64.
//
// Left out: what ptxas does when it unrolls loops by itself, and stores to global memory whose alignment can
// be proven.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// What becomes of the shared load or store at one pc. leader: the pc that stands for its group (itself where
// it is not merged).
struct MergedAccess {
  static constexpr std::uint32_t kDropped = ~std::uint32_t{0};  // leader of a load that nobody needs
  std::uint32_t leader = 0;
  std::uint8_t width = 0;   // bytes a lane of the merged access; 0: no access to shared memory
  std::int64_t offset = 0;  // of the merged access from the address register (the leader's)
};
using MergedLoad = MergedAccess;

// One entry a pc of `flat`.
std::vector<MergedAccess> merge_shared_accesses(const ptx::Function& flat, const SharedLayout& layout);
inline std::vector<MergedLoad> merge_shared_loads(const ptx::Function& flat, const SharedLayout& layout) {
  return merge_shared_accesses(flat, layout);
}

// Shared loads by width (1, 2, 4, 8, 16, 32 bytes) after merging.
std::array<std::uint32_t, 6> count_by_width(const ptx::Function& flat,
                                            const std::vector<MergedAccess>& merged, ptx::Opcode opcode);

}  // namespace warplens::emulator
