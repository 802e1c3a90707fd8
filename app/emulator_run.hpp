// The one place where the command line meets the emulator.
#pragma once

#include "app/run_job.hpp"
#include "app/run_report.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

// The part of the report that is known before the kernel runs.
Result<RunReport> report_before_run(const RunJob& job);

// Runs the job on the CPU, verifies the result and counts what every warp did. Errors: a fault of the kernel,
// with its place; a form of PTX that is not known.
Result<RunReport> run_on_emulator(const RunJob& job);

}  // namespace warplens::app
