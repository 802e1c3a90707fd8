// What a step is about where that is another number than what its picture costs: its ladder names the number
// (KernelSpec::about), the run says it.
#pragma once

#include <span>

#include "engine/explain/explain.hpp"

namespace warplens::explain {

// Of accesses to the array that shows the step's point (KernelSpec::show), or to any where none is named. Says
// nothing where the step is about nothing else, or its run does not have such a number.
Explanation explain_about(const Facts& facts);
std::span<const RuleId> about_rules();

}  // namespace warplens::explain
