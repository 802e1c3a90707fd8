// A run that also says what is wrong with the kernel: emulated and verified as ever, and watched by the
// checkers.
#pragma once

#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

// Report::findings has what was found, and `verified` is true only where none of it is an error. A fault of
// the kernel is a finding too. keep_output: see ExecuteOptions; a kernel that never ends has none. cancel:
// set it to true to stop early. Errors: as of execute() and tabulate(); a cancelled run.
Result<SharedRun> run_checked(const Job& job, bool keep_output = false,
                              const std::atomic<bool>* cancel = nullptr);

// How much of it the checkers watch there.
CheckOptions check_options(const Job& job);

// The same run for whoever shows it: with the verdict and the findings that the checkers came to; as one that
// they are still at work on; as one that they could not look at.
SharedRun with_findings(const Run& run, const Report& checked);
SharedRun being_checked(const Run& run);
SharedRun unchecked(const Run& run, const Error& why);

}  // namespace warplens::run
