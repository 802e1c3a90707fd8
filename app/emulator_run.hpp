// The one place where the command line meets the emulator.
#pragma once

#include "app/run_job.hpp"
#include "app/run_report.hpp"
#include "engine/base/result.hpp"
#include "engine/session/emulate.hpp"

namespace warplens::app {

// What was asked for: kernel, parameters, sizes, launch. Needs no machine code.
RunReport report_of_launch(const RunJob& job);

// The part of the report that is known before the kernel runs.
Result<RunReport> report_before_run(const RunJob& job);

// The counts of a report.
RunCounts counts_of(const emulator::Counters& counters);

// What the run adds: verification, counts, time.
void add_outcome(RunReport& report, const session::Emulation& run);

// Runs the job on the CPU, verifies the result and counts what every warp did. Errors: a fault of the kernel,
// with its place; a form of PTX that is not known.
// output: gets the output buffer where it is not null.
Result<RunReport> run_on_emulator(const RunJob& job, std::vector<std::byte>* output = nullptr);

}  // namespace warplens::app
