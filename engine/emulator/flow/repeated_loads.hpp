// Loads from global memory that ptxas leaves out, because an earlier one has read the same.
//
// The compiler's PTX may load one element several times, where a vote, a shuffle or a match stands between:
// in[threadIdx.x] for three votes is three ld.global, and one LDG (ptxas 13.0; counters of an H100). No
// instruction of the machine code then names the line of the later ones.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/emulator/flow/issued_accesses.hpp"

namespace warplens::emulator {

// Of each load that is left out its pc, and the pc of the load that serves it: one with an instruction of its
// own that is executed before it on every path, from the same register and offset. Empty where the machine
// code does not name the lines of all its loads. A load whose line no instruction names but that no other
// serves is not listed: what became of it is not known.
std::map<std::uint32_t, std::uint32_t> repeated_loads(const ptx::Function& flat,
                                                      const std::vector<IssuedAccess>& issued);

}  // namespace warplens::emulator
