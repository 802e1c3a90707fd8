// What is said where blocks do not do equally much, so that the device waits for the longest.
#pragma once

#include "engine/explain/payoff/payoff.hpp"

namespace warplens::explain {

// Whether that takes much of the time.
bool waits_for_longest(const time::Prediction& now);

// "the blocks' work is unequal: the device waits for the longest for 83 % of the kernel's time"
Said longest_block_what(const time::Prediction& now);
// "the longest executes 35 times the mean's instructions; 90 % of the SMs' time is idle"
Said longest_block_why(const time::Prediction& now);
// What saves the most of the time by the model: to start the longest first, where that is nearly as good, else equal blocks.
Said longest_block_fix(const time::Prediction& now);

// Of a step for which that takes more than anything else could: what it costs. Of an access that wastes nothing, where equal
// blocks would save time: it is not praised.
Explanation of_longest_block(const time::Prediction& now);
Explanation beside_longest_block(Explanation said, const Payoffs* payoffs);

}  // namespace warplens::explain
