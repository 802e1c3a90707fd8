// Two traces of the same launch, as the GPU recorded it and as the emulator ran it.
#pragma once

#include <cstdint>
#include <string>

#include "engine/trace/trace.hpp"

namespace warplens::instrument {

// Warp by warp: equal where every lane made the same accesses in the same order, together with the same
// other lanes. How the warps took turns is free on a GPU, and so is which side of a divergent branch went
// first (CUDA C++ Programming Guide, independent thread scheduling).
struct TraceComparison {
  std::uint64_t warps = 0, different = 0;
  std::uint64_t reordered = 0;  // of those that are equal: warps whose sides of a branch took other turns
  std::uint64_t accesses =
      0;  // of the emulator's trace; without constant memory, and local memory where that was not recorded
  std::string first;  // where the first difference is: "block 3 warp 1 access 7, pc 41"; empty: none
};
// Of the blocks that the emulator's trace has.
TraceComparison compare_traces(const trace::Trace& emulated, const trace::Trace& recorded);

}  // namespace warplens::instrument
