// Who waits for whom in a block whose warps have roles, in the order that its barriers allow: a copy of a stage and a group of products
// take one unit each, and nothing else takes any. It is an order and no time: what it shows is what must be over before what.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/trace/tensor_work.hpp"

namespace warplens::trace {

// A barrier in shared memory.
struct PipelineBarrier {
  std::uint32_t at = 0;        // byte offset
  std::uint32_t arrivals = 0;  // of threads, that end a phase
  std::uint64_t bytes = 0;     // of copies in a phase; 0: it tells no copies
  int stage = 0;               // counted among those that tell copies, or among those that do not
  bool is_full() const { return bytes > 0; }
};

// What a warp does, or waits for, over units of the order.
struct PipelineSpan {
  enum class Kind : std::uint8_t { wait, copy, multiply } kind = Kind::wait;
  std::uint32_t warp = 0, pc = 0;
  double from = 0, to = 0;
  std::size_t barrier =
      0;  // that is waited for, that the copy tells, or that was waited for before the products
  std::uint32_t phase = 0;   // of it
  std::uint32_t number = 0;  // of its kind in the warp, from 0: tiles
  std::uint64_t bytes = 0;   // of a copy
  std::uint32_t count = 0;   // products
  double wait() const { return to - from; }
};

// Warps that do the same: a warp that has boxes copied, or the four of a warp group that multiplies.
struct PipelineRole {
  std::uint32_t warp = 0;  // the first one
  bool copies = false, multiplies = false;
};

struct Pipeline {
  std::vector<PipelineBarrier> barriers;  // those that tell copies first
  std::vector<PipelineRole> roles;        // that copy first
  std::vector<PipelineSpan> spans;        // of the roles' first warps, in order
  // When a stage may be written again: arrivals at its barrier of those without copies; by barrier and phase.
  struct Release {
    std::size_t barrier = 0;
    std::uint32_t phase = 0;
    double at = 0;
  };
  std::vector<Release> releases;
  std::uint32_t stages = 0;
  double end = 0;
  bool has_remote = false;  // arrivals from or at other blocks, which are left out
};

Pipeline pipeline_of(const TensorWork& work);

}  // namespace warplens::trace
