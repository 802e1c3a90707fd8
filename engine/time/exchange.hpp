// What a kernel asks of a chip, as demands that another kernel's can be put in the place of: the model is
// scheduled again with the other's amount, and the time that comes out says what the difference is worth.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/time/anchors.hpp"
#include "engine/time/model.hpp"

namespace warplens::time {

enum class Asked : std::uint8_t {
  traffic,       // of global memory: what passes L1, L2 and memory, and how often warps wait for it
  partitions,    // what memory without a cache takes longer because accesses crowd in one partition or page
  wavefronts,    // of shared memory
  instructions,  // that are issued, and the pipes of floats and integers
  doubles,       // their unit
  functions,     // reciprocals, roots, sines, conversions
  barriers,
  spills,     // values that find no register: to memory and back
  atomics,    // that meet others at their address
  occupancy,  // warps that an SM holds
  starts,     // of blocks, one after another
  idle_sms,   // that get no block, or none of the last wave
};
inline constexpr std::size_t kAsked = 12;
std::string_view name(Asked asked);  // "idle_sms"

// Of the whole grid.
struct Totals {
  Demand demand;
  double blocks = 0, meetings = 0;
  double resident_warps = 0;
  double used_sms = 1;    // share of the SMs' time in which they have blocks
  double of_doubles = 0;  // Prediction::of_doubles
  double crowding = 1;    // of partitions: sectors' worth of memory's time for each sector
};
Totals totals_of(const Modelled& of);

// What clearly differs for the same work. work: how much `other` does, over `one`.
std::vector<Asked> differences(const Totals& one, const Totals& other, double work);

// Seconds that `of` would take if it asked for as much of these as `other` does for the same work. What it
// has none of stays none: that is found from the other's side.
double seconds_with(const Modelled& of, std::span<const Asked> asked, const Totals& other, double work);

// As if SMs had blocks for another share of the time: no sooner than what all SMs share allows.
double cycles_spread(const Model& model, double cycles, double used, double other);

}  // namespace warplens::time
