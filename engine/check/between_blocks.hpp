// What the checkers of the blocks of one launch share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/check/async_proxy.hpp"
#include "engine/check/hand_overs.hpp"
#include "engine/check/lane_places.hpp"
#include "engine/check/lock_order.hpp"
#include "engine/check/loops.hpp"
#include "engine/check/meetings.hpp"
#include "engine/check/order/cells.hpp"
#include "engine/check/order/order.hpp"
#include "engine/check/registers.hpp"
#include "engine/check/stretches.hpp"

namespace warplens::check {

// Instructions of the warps of one block: it is not watched any further behind them.
inline constexpr std::uint64_t kMostSteps = 3'000'000;
// The same of all blocks together: many that wait for each other take turns for minutes.
inline constexpr std::uint64_t kMostStepsOfAll = 10 * kMostSteps;

// Of the words of one array: about 25 MB of them, behind which they are tidied.
inline constexpr std::size_t kMostMoments = 1'000'000;

// An asynchronous copy that is not waited for.
struct Copy {
  std::uint32_t lane = 0, group = 0, offset = 0, width = 0, pc = 0;
};

// Copies whose arrival a barrier in shared memory waits for.
struct Arriving {
  std::uint64_t phase = 0;
  std::uint32_t offset = 0, width = 0;
};

// How a block ended that a checker stopped.
struct Ending {
  std::uint64_t steps = 0;  // of all blocks
  std::uint64_t most_steps = kMostStepsOfAll;
  bool gave_up = false;                // it was too long to be watched any further
  Endless endless = Endless::may_end;  // its loop, which waits for nobody
  // Of the access that stopped it: the array that its address was made from, and the instruction.
  std::optional<ArrayPlace> array = std::nullopt;
  std::uint32_t pc = 0;
};

// Of blocks that run together, so that each can look at the others.
struct Companions {
  std::map<std::uint64_t, Cells> shared;  // cells of each block's shared memory
  // Of barriers of several blocks, by their first block.
  std::map<std::pair<std::uint64_t, std::uint32_t>, Phase> phases;
  Progress progress;
  HandOvers hand_overs;
  LockOrder locks;
  LaneLocks lane_locks;
  BytesOfBarriers bytes;
};

// Of the instructions of a launch.
struct CodeTables {
  explicit CodeTables(const LaunchFacts& facts);
  std::vector<RegisterUse> uses;
  Stretches stretches;
  PlacesOfLanes places;
  Loops loops;
  ProductRegisters products;
};

}  // namespace warplens::check
