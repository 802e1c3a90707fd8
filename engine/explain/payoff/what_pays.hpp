// What is said of a cost whose gain is what it keeps busy.
#pragma once

#include "engine/explain/payoff/payoff.hpp"

namespace warplens::explain {

// Of a step whose loads of constant memory ask for many words: fewer turns gain something where they hold the kernel.
Explanation with_constant_turns(Explanation said, const Payoffs* payoffs);

}  // namespace warplens::explain
