// What is said where the grid has fewer blocks than the device has SMs, and what would give the others work.
#pragma once

#include "engine/explain/payoff/payoff.hpp"

namespace warplens::explain {

bool has_idle_sms(const Payoffs* payoffs);
// More than half of them: a cure that leaves the blocks as few as they are, such as a tile, is not the first thing to do.
bool has_mostly_idle_sms(const Payoffs& payoffs);

// "launch 1,056 blocks instead of 4", "more and smaller blocks ...", or why there is none for them.
Said work_for_idle_sms(const Payoffs& payoffs);
// "the problem is too small: 132 blocks like these take as long by the model".
Said too_small_for_more(const time::Prediction& now);
// "128 of 132 SMs have nothing to do: ", and what to do about it.
Said idle_sms_words(const Payoffs& payoffs, Said work);

// An access may waste nothing where most of the device has nothing to do: then it is not praised.
Explanation beside_idle_sms(Explanation said, const Payoffs* payoffs);
// Of a step whose cost it is that blocks are few.
Explanation with_work_for_idle_sms(Explanation said, const Payoffs* payoffs);

}  // namespace warplens::explain
