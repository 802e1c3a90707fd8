// What an explanation names as the cost, as an amount that other steps can be asked for.
#pragma once

#include <array>
#include <cstdint>

#include "engine/run/count.hpp"

namespace warplens::time {
struct Prediction;
}

namespace warplens::explain {

enum class CostKind : std::uint8_t {
  none,  // or one that is not counted
  wasted_load_sectors,
  wasted_store_sectors,
  wasted_sectors,
  sectors,
  wasted_load_wavefronts,
  wasted_store_wavefronts,
  wasted_wavefronts,
  wavefronts,
  idle_lanes,
  instructions,
};
inline constexpr std::size_t kCosts = static_cast<std::size_t>(CostKind::instructions) + 1;

// The amount in the blocks that were counted; 0 if there are none.
double amount_of(const run::StepCount& count, CostKind cost);
// Whether a step has most of it no more that another one of the same problem has, for the same work: at most half of a waste is left, and
// of what no kernel does without clearly less.
bool removes(const run::StepCount& step, const run::StepCount& from, CostKind cost);
// The same of a kernel with other values of its parameters, by what was predicted of both; false where a prediction does not tell.
bool removes(const time::Prediction& other, const time::Prediction& from, CostKind cost);

}  // namespace warplens::explain
