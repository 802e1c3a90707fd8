// Whether a kernel that is right at the sizes asked for is right at odd ones as well, and where its sizes
// differ.
#pragma once

#include <optional>

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// A warning that says at multiples of what it is right, or when which sizes are equal, and where it goes
// wrong at others; nothing where it is right. Sizes that the kernel file does not take are not tried. Each
// trial is of a few million operations at most.
std::optional<check::Finding> finding_at_odd_sizes(const Job& job, const emulator::Kernel& kernel);

// Where to begin to look for a mistake that only the output shows: of elements that are wrong the line whose
// arithmetic is executed most, of elements that nobody wrote the condition before the last store.
int line_to_begin(const ptx::Function& function, const emulator::Counters& counters, bool unwritten);

}  // namespace warplens::run
