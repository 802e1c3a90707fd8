// How a live run lies in memory: one buffer that kernels (or the host) write and that the plots' shaders read
// as texels of four 32-bit words. Three parts, one behind another: the times of the newest launches, as a
// ring; the blocks of the last launch that was watched; the result.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warplens::gpu {

// Nanoseconds of the GPU's %globaltimer (PTX ISA, special registers). end 0: not ended yet.
struct LaunchTimes {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const LaunchTimes&) const = default;
};

// One block of a watched launch: where it ran, and from when to when, in nanoseconds since the launch's
// first block began. `slot` tells apart the blocks that one multiprocessor runs at the same time.
struct PlacedBlock {
  std::uint32_t multiprocessor_and_slot = 0;  // slot in the lowest 8 bits
  std::uint32_t begin = 0, end = 0;
  std::uint32_t block = 0;  // its linear index in the grid
  bool operator==(const PlacedBlock&) const = default;
};
inline constexpr std::uint32_t kSlotBits = 8;
inline constexpr std::uint32_t kMostSlots = 32;  // resident blocks of a multiprocessor, CUDA C++ guide, table

inline constexpr std::size_t kTexel = 16;  // bytes
static_assert(sizeof(LaunchTimes) == kTexel && sizeof(PlacedBlock) == kTexel);

struct LiveLayout {
  std::uint32_t launches = 0;  // capacity of the ring
  std::uint32_t blocks = 0;    // of the timeline; further blocks are left out
  std::uint64_t elements = 0;  // of the result, 32-bit floats; 0: the result has no picture

  std::size_t launches_at() const { return 0; }  // bytes from the buffer's start
  std::size_t blocks_at() const { return kTexel * launches; }
  std::size_t result_at() const { return blocks_at() + kTexel * blocks; }
  std::size_t texels() const { return launches + std::size_t{blocks} + (elements + 3) / 4; }
  std::size_t bytes() const { return kTexel * texels(); }
  bool operator==(const LiveLayout&) const = default;
};

}  // namespace warplens::gpu
