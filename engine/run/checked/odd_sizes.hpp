// Whether a kernel that is right at the sizes asked for is right at odd ones as well.
#pragma once

#include <optional>

#include "engine/check/finding.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// A warning that says at multiples of what it is right, and where it goes wrong at others; nothing where it
// is right, where the kernel file does not take odd sizes, or where they were asked for.
std::optional<check::Finding> finding_at_odd_sizes(const Job& job, const emulator::Kernel& kernel);

// The last line that writes to global memory: where a result that is wrong comes from at the latest.
int line_of_result(const ptx::Function& function);

}  // namespace warplens::run
