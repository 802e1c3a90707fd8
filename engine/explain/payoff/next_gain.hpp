// What the steps that come next in a ladder gain in a kernel's place, at its size and on its device: as it was
// recorded where both launches were, else by the model of time. A step that gains less than kLeastGain there is not proposed; then it is said why not.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "engine/explain/against.hpp"
#include "engine/measured/recorded_speeds.hpp"

namespace warplens::explain {

struct LaterStep {
  std::string number;  // in its ladder
  run::Request run;    // at the size and on the device of the kernel
};

struct NextGain {
  std::string kernel, number;
  double gain = 0;                     // of the kernel's time for the same work; below 0: it takes longer
  bool is_recorded = false;            // else predicted
  std::array<bool, kCosts> removes{};  // most of what a cost is of, by CostKind
  bool operator==(const NextGain&) const = default;
};
bool pays(const NextGain& step);
// Whether it is a fix of what a box names as this cost: it pays, and it has most of that no more. A step that is quicker for another
// reason mends nothing.
bool mends(const NextGain& step, CostKind cost);

// steps: those that build on the kernel, in their order; those that do not run or that the model knows nothing
// of are left out. recorded: on their device. Empty where it knows nothing of the kernel, and where cancelled.
std::vector<NextGain> next_gains(Sides& sides, const run::Request& kernel, std::span<const LaterStep> steps,
                                 const measured::RecordedSpeeds& recorded, const std::atomic<bool>& cancel);

// Of which a box that names this cost speaks: the first that mends it, else the first that removes it. Where none does, the one that
// comes next if it gains nothing, or the box names no cost that is counted. Null where there is none.
const NextGain* next_for(std::span<const NextGain> steps, CostKind cost);

// "On to step 2" with what it gains as its claim, or "step 2 gains nothing here", "step 2 gains only 3 % here";
// of what was recorded "step 2 is slower, recorded".
Said next_words(const NextGain& step);

}  // namespace warplens::explain
