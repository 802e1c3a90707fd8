// A run that also says what is wrong with the kernel: emulated and verified as ever, and watched by the
// checkers.
#pragma once

#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Report::findings has what was found, and `verified` is true only where none of it is an error. A fault of
// the kernel is a finding too. keep_output: see ExecuteOptions; a kernel that never ends has none. Errors: as
// of execute() and tabulate().
Result<SharedRun> run_checked(const Job& job, bool keep_output = false);

// How much of it the checkers watch there.
CheckOptions check_options(const Job& job);

// A run with the verdict and the findings that the checkers came to, for whoever shows it.
SharedRun with_findings(const Run& run, const Report& checked);

}  // namespace warplens::run
