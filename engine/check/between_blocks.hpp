// What the checkers of the blocks of one launch share.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/check/cells.hpp"
#include "engine/check/lane_places.hpp"
#include "engine/check/loops.hpp"
#include "engine/check/meetings.hpp"
#include "engine/check/order.hpp"
#include "engine/check/registers.hpp"
#include "engine/check/stretches.hpp"

namespace warplens::check {

// Instructions of the warps of one block: it is not watched any further behind them.
inline constexpr std::uint64_t kMostSteps = 3'000'000;

// Of the words of one array: about 25 MB of them, behind which they are tidied.
inline constexpr std::size_t kMostMoments = 1'000'000;

// How a block ended that a checker stopped.
struct Ending {
  bool gave_up = false;  // it was too long to be watched any further
  bool endless = false;  // its loop never ends, and waits for nobody
};

// Of blocks that run together, so that each can look at the others.
struct Companions {
  std::map<std::uint64_t, Cells> shared;  // cells of each block's shared memory
  // Of barriers of several blocks, by their first block.
  std::map<std::pair<std::uint64_t, std::uint32_t>, Phase> phases;
  Progress progress;
};

// Of the instructions of a launch.
struct CodeTables {
  explicit CodeTables(const LaunchFacts& facts);
  std::vector<RegisterUse> uses;
  Stretches stretches;
  PlacesOfLanes places;
  Loops loops;
};

}  // namespace warplens::check
