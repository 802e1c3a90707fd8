// Where the accesses of a wave of blocks go in the memory of a chip without caches: addresses are dealt out
// to partitions, each with a bus of its own, 256 bytes at a time (G. Ruetsch, P. Micikevicius, "Optimizing
// Matrix Transpose in CUDA", NVIDIA, 2009: "partition camping"), and each partition has pages (rows of DRAM),
// of which few are open at a time.
#pragma once

#include <map>
#include <vector>

#include "engine/time/chip/memory_profile.hpp"

namespace warplens::time {

struct Wave {
  double blocks = 1;         // in flight
  std::uint64_t across = 1;  // blocks of a row of the grid
};
// Sets AccessProfile::camping and AccessProfile::pages. The blocks of the wave stand as far from each other
// as the first one from its neighbours.
void add_partitions(std::map<std::uint32_t, AccessProfile>& profiles,
                    const std::vector<RecordedBlock>& blocks, const Neighbours& neighbours, const Wave& wave,
                    const Partitions& partitions);

}  // namespace warplens::time
