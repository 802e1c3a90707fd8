// From a kernel file to what the views read, by five functions, each of the results of those before:
//
//   plan         kernel, parameters, sizes, device -> Plan                                plan.hpp
//   instantiate  Plan -> the problem's data                                               instances.hpp
//   compile      Plan -> Build                                                            here
//   execute      the three of them, a Job -> Execution: counts, output, recorded accesses here
//   tabulate     Job and Execution -> Run                                                 here
//
// A Run is a value that never changes. runner.hpp wraps these functions for callers that must not wait: runs
// that are kept, previews, cancelling.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/compile/build.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/report/access_story.hpp"
#include "engine/report/elements.hpp"
#include "engine/report/reduction_tree.hpp"
#include "engine/report/tables.hpp"
#include "engine/run/emulate.hpp"
#include "engine/run/instances.hpp"
#include "engine/run/plan.hpp"
#include "engine/run/report.hpp"
#include "engine/trace/lanes.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::run {

// All that an engine needs to run a kernel.
struct Job {
  Plan plan;
  SharedInstance instance;
  compile::Build build;
  std::uint64_t instruction_budget = 20'000'000;  // of one warp, on the emulator
};

// Errors: code that does not compile.
Result<compile::Build> compile(compile::Compiler& compiler, const Plan& plan);

using SharedKernel = std::shared_ptr<const emulator::Kernel>;

struct ExecuteOptions {
  std::optional<std::uint64_t> record = {};  // the accesses of block 0 and of this one; nothing: of none
  bool recorded_blocks_only = false;  // nothing is counted and verified then, so that it takes a moment
  bool keep_output = false;           // copy the output buffer into the emulation
  bool counts_only = false;           // see EmulationOptions
  int threads = 0;                    // of the host; 0: one a core
  bool stop_at_uninitialised = true;  // see emulator::Launch
  const std::atomic<bool>* cancel = nullptr;
};
struct Execution {
  SharedKernel kernel;
  Emulation emulation;
  std::shared_ptr<const trace::Trace> trace;  // null where nothing was recorded
  std::shared_ptr<const trace::LaneTrace> lanes =
      nullptr;                               // null too where all lanes do the same, see lanes_differ()
  std::optional<Error> unwritten_read = {};  // of shared memory, the first: it went on
};
// On the emulator. kernel: the build's, see prepare(); null: prepares it. Errors: PTX that is not known, a
// launch that the device could not make, no memory. A fault of the kernel is none: it is in the outcome.
Result<Execution> execute(const Job& job, const ExecuteOptions& options = {}, SharedKernel kernel = nullptr);

// A text by its lines; the text must outlive them.
using Lines = std::vector<std::string_view>;
Lines lines_of(std::string_view text);

// One execution of a kernel with everything that the views read. Immutable once made.
struct Run {
  // False: a preview. The recorded blocks ran, so the trace, the stories and all that is drawn from one
  // access are as they will be; registers, counts (all 0), shares, time and verification are not known yet,
  // and whoever shows them says that they are pending.
  bool complete = true;
  std::shared_ptr<const Job> job;  // the lines below point into it
  Report report;
  SharedKernel kernel;
  Emulation emulation;
  std::string source;                             // fingerprint() of the kernel's file
  std::string recorded_on;                        // the GPU whose accesses `trace` has; empty: the emulator's
  std::shared_ptr<const trace::Trace> trace;      // never null
  std::shared_ptr<const trace::LaneTrace> lanes;  // of the emulator's blocks; may be null, see Execution
  std::vector<report::PlacedBuffer> buffers;
  report::LineTable lines;
  std::vector<std::shared_ptr<const report::AccessStory>> stories;  // one a block of the trace
  // As many; null where the block's threads do not add up what they have.
  std::vector<std::shared_ptr<const report::ReductionTree>> trees;
  std::vector<report::InstructionRow> instructions;
  // By pc: the line of the kernel's own text; of an instruction in a device function, that of the call.
  std::vector<int> kernel_lines;
  Lines source_lines, ptx_lines;
  std::vector<std::int32_t> row_of_ptx_line;  // of `instructions`, by line from 0; -1 where it is none
  std::optional<Error> fault;                 // the run stopped there; counts are up to it

  const Plan& plan() const { return job->plan; }
  const device::Device& device() const { return job->plan.device; }
};
using SharedRun = std::shared_ptr<const Run>;

// Error: a block that no device could launch.
Result<SharedRun> tabulate(Job job, Execution execution);
// Of an execution of the recorded blocks only: the preview of a run.
SharedRun tabulate_preview(Job job, Execution execution);

// The counts of one run with other accesses: of other blocks, or those that a GPU recorded. trace: with
// buffers where the emulator has them. recorded_on: see Run. lanes: of these blocks; null: the run's own.
SharedRun with_trace(const Run& whole, std::shared_ptr<const trace::Trace> trace,
                     const std::string& recorded_on, std::shared_ptr<const trace::LaneTrace> lanes = nullptr);

// The part of a report that is known before the kernel runs: what was asked for, and what the compiler made
// of it. Error: as tabulate().
Result<Report> report_before(const Job& job);

// Executes without recording and tabulates. Errors: as of both; a fault of the kernel, with its place.
Result<SharedRun> run_on_emulator(const Job& job, bool keep_output = false);

}  // namespace warplens::run
