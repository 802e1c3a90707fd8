// Whether the numbers of a run may be praised: a kernel that is wrong, or stopped, is not better than another
// for what it leaves out. Everything that judges a run asks here.
#pragma once

#include <string>
#include <string_view>

#include "engine/explain/explain.hpp"

namespace warplens::explain {

// "it stopped before its end", "its result is wrong", "it has a race", "this device cannot run it": why
// nothing it counts is compared with another run or called good. Empty: nothing is known against it.
std::string_view doubt(const run::Run& run);

// The same with what was found first, and where: "it has a race: line 26: thread (0, 0) of ...".
std::string doubt_words(const run::Run& run);

// What is costly stays; of what is good the fact stays, without praise, and what comes first is said.
Explanation without_praise(Explanation said, const run::Run& run);

// In the place of a comparison with another run.
struct Against;
Against no_comparison(const run::Run& run);  // Precondition: there is doubt

}  // namespace warplens::explain
