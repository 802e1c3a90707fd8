// Barriers in shared memory: what PTX calls mbarrier, and CUDA cuda::barrier. The 64 bits of one, which PTX
// leaves open, are: pending arrivals (20), expected ones (20), bytes of copies that are to come (22, signed),
// whether it is initialised (1), the phase's parity (1).
#pragma once

#include <cstdint>
#include <string>

#include "engine/emulator/lowering/code.hpp"
#include "engine/emulator/lowering/warp.hpp"

namespace warplens::emulator {

struct SharedBarrier {
  std::uint32_t pending = 0, expected = 0;
  std::int64_t bytes = 0;
  bool valid = false, odd = false;

  static SharedBarrier from(std::uint64_t bits);
  std::uint64_t bits() const;
  // Begins the next phase where this one is over.
  void turn();
};

inline constexpr std::uint32_t kMostArrivals = (1u << 20) - 1;  // PTX ISA 9.7.13.15, mbarrier: counts
inline constexpr std::int64_t kMostBytesToCome = (1 << 20) - 1;

// Those of the lanes of a waiting instruction whose phase is over.
std::uint32_t phases_over(Warp& warp, const PtxDetail& detail, std::uint32_t lanes);
// "the barrier bar: 3 of 4 threads have arrived"
std::string words_of_phase(const Warp& warp, const Group& group);

// The asynchronous copies of a block that tell the barrier at this offset of its shared memory come now.
void finish_copies(Warp& of_block, std::uint32_t barrier);
// Of these lanes the asynchronous copies that the warp issued before a number.
void land_copies(Warp& warp, std::uint32_t lanes, std::uint64_t before);

// Whether the other warps of its warp group, four side by side, have committed as many groups of products, or ended.
bool group_has_committed(Warp& warp);

// The bulk stores of a warp that nobody has waited for are made now. False: a fault has been raised.
bool finish_bulk_stores(Warp& warp);

Handler barrier_handler(const ptx::Instruction& instruction);

}  // namespace warplens::emulator
