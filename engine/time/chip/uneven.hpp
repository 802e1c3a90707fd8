// Grids whose blocks do not do equally much: a triangular loop, rows of very different lengths, one block that does the
// rest. Means say little of them: the device waits for the longest block, and for what stands before it on its
// multiprocessor. So blocks are started one after another, each for as long as its longest warp makes it, as they
// are on a device.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/emulator/launch.hpp"

namespace warplens::time {

// What an execution tells of such a grid.
struct UnevenCounts {
  std::uint64_t longest = 0, usual = 0;     // the block with the longest warp; one of a median length
  emulator::Counters of_longest, of_usual;  // of these blocks alone
  // How often each warp of the longest executed each instruction; none: all did about as much.
  std::vector<std::vector<double>> warps_of_longest;
  std::vector<emulator::BlockWork> work;  // of all of the grid
};
// The block with the longest warp, if that is longer than those of blocks are on average, so that it matters; else nothing: the
// model then takes all blocks to be alike.
std::optional<std::uint64_t> longest_block(std::span<const emulator::BlockWork> work);
std::uint64_t usual_block(std::span<const emulator::BlockWork> work);
// Whether its longest warp does clearly more than its others, of which there are so many.
bool has_long_warp(std::span<const emulator::BlockWork> work, std::uint64_t block, double warps);
// Warps that execute about equally many instructions, those with the most first.
std::vector<std::vector<int>> alike_warps(const std::vector<std::vector<double>>& executed);

// Blocks that follow each other, by the instructions of their longest warp, over those of the longest of all.
struct Lengths {
  std::uint64_t blocks = 1;
  double length = 1;
};
std::vector<Lengths> lengths_of(std::span<const emulator::BlockWork> work);
double length_of(std::span<const emulator::BlockWork> work, std::uint64_t block);
double times_mean_of(std::span<const emulator::BlockWork> work);
double mean_of(std::span<const Lengths> blocks);
double count_of(std::span<const Lengths> blocks);

// Blocks that follow each other on one place of an SM; cycles since the first one began.
struct PlacedBlocks {
  std::uint64_t first = 0, blocks = 1;
  std::uint32_t sm = 0;
  double start = 0, end = 0;
};
struct Spread {
  double cycles = 0;    // until the last block ends
  double busy = 0;      // cycles of SMs that have a block, of all SMs
  double resident = 1;  // blocks on an SM that has any, on average
};
// How fast blocks go, and start.
struct Pace {
  // Of the longest block, by how many of its kind an SM has, from one.
  std::vector<double> cycles;
  double start = 0;           // cycles that a block takes however short it is, alone on its SM
  double start_interval = 0;  // between the starts of two blocks, of all SMs
  int sms = 1;
};
// A block goes to an SM with the fewest blocks that has room for it, and leaves to the younger ones there what it cannot use. placed:
// null where it is not wanted. Precondition: there are blocks, and pace.cycles.
Spread spread_over_sms(std::span<const Lengths> blocks, const Pace& pace,
                       std::vector<PlacedBlocks>* placed = nullptr);

}  // namespace warplens::time
