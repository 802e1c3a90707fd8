// What the figures of a ladder's speeds say in a sentence: what was reached, why, and what comes next. From
// measured speeds and bounds alone; where there are none, nothing.
#pragma once

#include "engine/explain/explain.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::figures {

// How much faster the ladder becomes, and which step brings most of it.
explain::Explanation ladder_words(const PerformanceInput& input);
// How the chosen step, or the best one, does at the size on screen against the size at which it is best.
explain::Explanation size_words(const PerformanceInput& input);
// What part of what the device allows the chosen step reaches, or the best one, and what allows no more.
explain::Explanation roofline_words(const PerformanceInput& input);

}  // namespace warplens::figures
