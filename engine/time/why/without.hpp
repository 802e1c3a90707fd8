// A kernel predicted once more without some of what it asks for: what that would be worth. Seconds; nothing
// where the model has no such thing to take away.
#pragma once

#include <optional>
#include <span>

#include "engine/time/exchange.hpp"

namespace warplens::time {

// Of the accesses of a kind in a line so much is left: of what they cost, and of the accesses themselves.
struct Left {
  AnchorKey at;
  double cost = 1, accesses = 1;
  auto operator<=>(const Left&) const = default;
};
// least_sectors: of the grid, that pass at least, however well its accesses do it; of accesses that go whole
// nothing is kept.
std::optional<double> seconds_with(const Modelled& of, std::span<const Left> left, double least_sectors = 0);

// Without what its accesses to global memory, or to shared memory, keep busy; they still take their latency.
std::optional<double> seconds_without_traffic(const Modelled& of);
std::optional<double> seconds_without_wavefronts(const Modelled& of);
// Without what finds no register and goes to memory and back.
std::optional<double> seconds_without_spills(const Modelled& of);
// Without the instructions of a line, its accesses aside.
std::optional<double> seconds_without_line(const Modelled& of, int line);
// With so many instructions only: a share of them.
double seconds_with_instructions(const Modelled& of, double share);
// With other numbers of blocks on an SM at a time.
double seconds_with_blocks(const Modelled& of, int blocks_per_sm);

}  // namespace warplens::time
