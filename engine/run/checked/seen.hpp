// Which kernels need no checkers when somebody looks at them, because tests of the program ran the checkers
// on this very text with these parameters, and they found nothing: everything else is checked before it is
// called right.
#pragma once

#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/run/plan.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Whether the text is one of those in the kernel folder that the program was built from, byte for byte.
bool is_own_text(std::string_view code);

// The parameters with which tests run the checkers on such a kernel: its defaults, and sets that differ from
// them in one value, as one slider makes them; those that the file takes with these sizes. Sizes and devices
// are not told apart: a kernel that is right at one size alone has no test.
std::vector<catalog::Values> tested_parameters(const catalog::KernelSpec& spec, const catalog::Values& sizes);

// Whether the plan is of such a text with such parameters.
bool is_seen(const Plan& plan);

// The run with what the checkers find in it, or why they could not look; the run itself where it is seen, and
// where it was checked before. For callers that can wait.
SharedRun judged(const SharedRun& run);

}  // namespace warplens::run
