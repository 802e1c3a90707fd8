// Which shared-memory accesses of the PTX ptxas vectorizes: what becomes of them in the machine code.
//
// What ptxas was seen to do (13.0, sm_90; some 250 probes and the machine code of every parameter set of
// kernels/):
//
// Loads. A load falls in an aligned group of four words (of 8 bytes where no more alignment is known). Later
// loads of the same group join the first one under three conditions: they are in its basic block or in one
// that it dominates; no path between them changes shared memory (address_values.hpp says what does; stores to
// global memory, shuffles and votes do not); and the first is not in a loop that the other is outside of. If
// three or four words are used, one LDS.128 loads all four; if two that make an aligned pair are, an LDS.64.
// Other words are loaded one by one, and a word that is used twice is loaded once. So a load may be issued
// earlier, wider and on more paths than the PTX says: the remainder of an unrolled loop is one LDS.128.
// Elements of other sizes follow the same rule, four of 2 bytes or two of 8; bytes and signed halves are not
// vectorized. Parts of a vector load that are never read do not count as used. A load with a guard (@%p) may
// join but not be the first. Volatile loads stay as they are.
//
// Stores. Consecutive stores to one aligned group, in one basic block, with no other access to shared memory
// between them: four words become one STS.128, an aligned pair an STS.64.
//
// Left out: what ptxas does when it unrolls loops by itself. Where there is machine code, issued_accesses.hpp
// reads from it what ptxas did.
//
// Accesses to global memory stay as they are: of some 6,000 that ptxas 13.0 assembled none was
// vectorized.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// What becomes of the load or store at one pc. leader: the pc at which its group is issued (its own where it is
// not vectorized); of a repeated load from global memory the one that serves it (repeated_loads.hpp).
struct VectorizedAccess {
  static constexpr std::uint32_t kDropped = ~std::uint32_t{0};  // leader of a load whose result is not used
  std::uint32_t leader = 0;
  std::uint8_t width = 0;   // bytes a lane of the vectorized access; 0: no access to shared memory
  std::int64_t offset = 0;  // of the vectorized access from the address register (the leader's)
  // Of a leader: the pc from which machine code says that the access is. Of stores the last one; of all that
  // ptxas loads of one group the first load of the group.
  std::uint32_t named = 0;
  bool operator==(const VectorizedAccess&) const = default;
};

// One entry a pc of `flat`.
std::vector<VectorizedAccess> vectorize_shared_accesses(const ptx::Function& flat,
                                                        const SharedLayout& layout);

}  // namespace warplens::emulator
