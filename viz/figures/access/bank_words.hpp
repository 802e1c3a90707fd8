// What each bank of shared memory gives one access: as the strip below the picture and the panel beside it
// say it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/run/run.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::figures {

// Of each bank the different words that the warp asks of it. Where 16 banks serve a half-warp at a time (1.x)
// instead the turns that it takes for the half-warp that keeps it longest: of the words of one bank only one
// at a time goes to several lanes, so that few words can take many turns.
struct BankWords {
  std::vector<int> words;
  int even = std::numeric_limits<int>::max();  // no bank waits for so many; below it where the access waits
  bool elsewhere = false;                      // all lanes use other blocks' shared memory
  bool by_halves = false;                      // turns, of half-warps
  bool has_conflict() const { return even < std::numeric_limits<int>::max(); }
  int most() const;
};
// Precondition: the access is of that run. All banks have 0 where it is none of shared memory.
BankWords words_by_bank(const run::Run& run, const trace::Access& access);

}  // namespace warplens::figures
