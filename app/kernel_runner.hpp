// One execution of a kernel with everything that the views read: compiled, run, verified, recorded, tabled.
// The newest runs are kept, so that going back to one is immediate.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "app/emulator_run.hpp"
#include "app/run_job.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/report/elements.hpp"
#include "engine/report/tables.hpp"
#include "engine/session/emulate.hpp"
#include "engine/trace/trace.hpp"
#include "viz/figures/access.hpp"

namespace warplens::app {

struct RunRequest {
  catalog::KernelSpec spec;
  catalog::Values parameters, sizes;  // those that are missing take their defaults
  device::Device device;
  std::uint64_t block = 0;  // to record, beside block 0; one beyond the grid is left out
  int threads = 0;          // of the host; 0: one a core
};

// A text by its lines; the text must outlive them.
using Lines = std::vector<std::string_view>;
Lines lines_of(std::string_view text);

// Immutable once made; the code's lines point into `job`.
struct KernelRun {
  RunJob job;
  RunReport report;
  std::shared_ptr<const emulator::Kernel> kernel;
  session::Emulation emulation;
  trace::Trace trace;
  std::vector<report::PlacedBuffer> buffers;
  report::LineTable lines;
  figures::RunView view;                                             // of this run
  std::vector<std::unique_ptr<const figures::AccessStory>> stories;  // one a block of the trace
  std::vector<report::InstructionRow> instructions;
  Lines source_lines, ptx_lines;
  std::vector<std::int32_t> row_of_ptx_line;  // of `instructions`, by line from 0; -1 where it is none
  std::optional<Error> fault;                 // the run stopped there; counts are up to it
};
using SharedRun = std::shared_ptr<const KernelRun>;

class KernelRunner {
 public:
  explicit KernelRunner(compile::Compiler compiler) : compiler_(std::move(compiler)) {}

  // Errors: values that are not legal, code that does not compile, PTX that is not known, a cancelled run.
  // May be called from several threads.
  Result<SharedRun> run(const RunRequest& request, const std::atomic<bool>& cancel);

 private:
  struct Kept {
    RunRequest request;
    SharedRun run;
  };
  struct KeptInstance {
    const problem::Problem* problem = nullptr;
    catalog::Values sizes;
    std::shared_ptr<const problem::Instance> instance;
  };
  SharedRun kept(const RunRequest& request);
  void keep(const RunRequest& request, const SharedRun& run);
  Result<std::shared_ptr<const problem::Instance>> instance(const RunPlan& plan);
  Result<RunJob> prepare_job(const RunRequest& request);

  compile::Compiler compiler_;
  std::mutex mutex_;       // guards what is below
  std::deque<Kept> kept_;  // the newest first
  std::deque<KeptInstance> instances_;
};

}  // namespace warplens::app
