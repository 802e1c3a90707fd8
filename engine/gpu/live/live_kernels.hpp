// The small kernels of our own that a live run launches between those it shows.
//
//   warplens_stamp(ring, ends, begins)   one thread: the time of now is the end of entry `ends` of a ring of
//                                        LaunchTimes and the begin of entry `begins`; 2^32 - 1: of none
//   warplens_place(times, count, shown, placed, seen)
//                                        a block of 256 threads for each multiprocessor: `count` rows of
//                                        instrument::BlockTime become PlacedBlocks, the first `shown` of
//                                        them; seen: the latest end, the most slots; both zero before
#pragma once

#include <cstdint>

namespace warplens::gpu {

extern const char* const live_kernels_ptx;
inline constexpr const char* stamp_kernel = "warplens_stamp";
inline constexpr const char* place_kernel = "warplens_place";
inline constexpr unsigned place_threads = 256;
inline constexpr std::uint32_t no_entry = ~0u;
inline constexpr std::size_t block_time_bytes = 24;  // of a row: {block, sm: 32 bits; start, end: 64 bits}

// What the kernel writes to `seen`.
struct Seen {
  std::uint32_t last_end = 0, slots = 0;
};

}  // namespace warplens::gpu
