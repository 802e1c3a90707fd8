// Whether a kernel that is right is right with large sizes and with other data as well.
#pragma once

#include <optional>

#include "engine/check/finding.hpp"
#include "engine/run/checked/trials.hpp"

namespace warplens::run {

// Sizes above 2^16, and where that would take long above 1,024, one size at a time and the others small. A
// warning that says up to which size it is right. Nothing where it is right, or where the launch is for the
// sizes of the run alone.
std::optional<check::Finding> finding_at_large_sizes(const Trials& trials);

// Equal values, zeros, large and negative ones, rows without an element: those of which the problem says what
// is right. Adds their names to `data`.
std::optional<check::Finding> finding_with_other_data(const Trials& trials, std::vector<std::string>& data);

}  // namespace warplens::run
