// What a warp does around one of its accesses: the turns of a loop, and the accesses to global memory whose
// data it takes from shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/explain/facts.hpp"

namespace warplens::explain {

// The accesses of the warp, and which of them this one is.
struct OfWarp {
  std::span<const std::uint32_t> events;
  std::size_t here = 0;
};
OfWarp of_warp(const Facts& f);

// The accesses that the warp makes in the same line to the same array, one after another, where each is as
// far from the one before: how many, and how many elements apart.
struct Turns {
  std::int64_t count = 0, apart = 0;
};
Turns turns_of(const Facts& f);
// Whether the warp executes the same instruction again with other lanes, as in the rounds of a reduction.
bool has_rounds_of_other_lanes(const Facts& f);
// How many grids of threads further on the next turn of the loop reads; 0 for other loops.
std::int64_t grids_apart(const Facts& f);
// Whether each thread has a row of the array to itself and walks along it, at least as far as a warp is wide: lanes lie a row apart,
// turns side by side, and no element is asked for twice.
bool has_row_of_thread(const Facts& f);
// Whether some threads of the grid have one turn of such a loop less than others: the array ends within a turn.
bool has_last_turn_of_some(const Facts& f);

// For a load from shared memory without conflicts: the sectors that its lanes would ask global memory for in
// the same order, and those that the warp's global accesses take, if none of these takes more than it must.
struct Staging {
  std::int64_t apart = 0, least = 0;
  bool is_worth_it() const { return least > 0 && apart > least; }
};
Staging staging_of(const Facts& f);

}  // namespace warplens::explain
