// One execution of a kernel with everything that the views read: compiled, run, verified, recorded, tabled.
// The newest runs are kept, so that going back to one is immediate.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/build_queue.hpp"
#include "app/emulator_run.hpp"
#include "app/launchable.hpp"
#include "app/performance_points.hpp"
#include "app/run_job.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/report/elements.hpp"
#include "engine/report/tables.hpp"
#include "engine/session/emulate.hpp"
#include "engine/trace/trace.hpp"
#include "viz/figures/access/access.hpp"

namespace warplens::app {

struct RunRequest {
  catalog::KernelSpec spec;
  catalog::Values parameters, sizes;  // those that are missing take their defaults
  device::Device device;
  std::uint64_t block = 0;  // to record, beside block 0; one beyond the grid is left out
  int threads = 0;          // of the host; 0: one a core
  bool background = false;  // compiled by the calling thread, past the queue of what the user waits for
  // Values that the file takes and the device does not give way to the nearest that both do: those are in
  // the run's plan then.
  bool nearest = false;
};

// A text by its lines; the text must outlive them.
using Lines = std::vector<std::string_view>;
Lines lines_of(std::string_view text);

// Immutable once made; the code's lines point into `job`.
struct KernelRun {
  // False: a preview. The recorded blocks ran, so the trace, the stories and all that is drawn from one
  // access are as they will be; registers, counts (all 0), shares, time and verification are not known yet,
  // and whoever shows them says that they are pending.
  bool complete = true;
  RunJob job;
  RunReport report;
  std::shared_ptr<const emulator::Kernel> kernel;
  session::Emulation emulation;
  std::string source;       // fingerprint() of the kernel's file
  std::string recorded_on;  // the GPU whose accesses `trace` has; empty: the emulator's
  trace::Trace trace;
  std::vector<report::PlacedBuffer> buffers;
  report::LineTable lines;
  figures::RunView view;                                             // of this run
  std::vector<std::unique_ptr<const figures::AccessStory>> stories;  // one a block of the trace
  std::vector<report::InstructionRow> instructions;
  // By pc: the line of the kernel's own text; of an instruction in a device function, that of the call.
  std::vector<int> kernel_lines;
  Lines source_lines, ptx_lines;
  std::vector<std::int32_t> row_of_ptx_line;  // of `instructions`, by line from 0; -1 where it is none
  std::optional<Error> fault;                 // the run stopped there; counts are up to it
};
using SharedRun = std::shared_ptr<const KernelRun>;

// The counts of one run with other accesses: of other blocks, or those that a GPU recorded. trace: with
// buffers where the emulator has them, see recording_of(). recorded_on: see KernelRun.
SharedRun with_trace(const KernelRun& whole, trace::Trace trace, const std::string& recorded_on);

class KernelRunner {
 public:
  using Preview = std::function<void(Result<SharedRun>)>;

  // gives_way: see BuildQueue.
  explicit KernelRunner(compile::Compiler compiler, bool gives_way = false);

  // preview: called at most once, before the run is complete, where that can be had earlier. Null: not
  // wanted. Errors: values that are not legal, code that does not compile, PTX that is not known, a cancelled
  // run. May be called from several threads.
  Result<SharedRun> run(const RunRequest& request, const std::atomic<bool>& cancel,
                        const Preview& preview = {});
  // The run where it is still kept; null otherwise. Quick enough for the window's own thread.
  SharedRun kept(const RunRequest& request);
  // Compiles what may be asked for next while nothing else is to be done: this plan with other values of its
  // parameters, each set complete and legal. See BuildQueue.
  void compile_ahead(const RunPlan& plan, const device::Device& device,
                     const std::vector<catalog::Values>& first, const std::vector<catalog::Values>& others);
  void forget_ahead() { builds_.forget_ahead(); }
  bool is_compiling_ahead() const { return builds_.is_ahead_busy(); }

  // The request with the values that a run of it has, see RunRequest::nearest. Errors: as run(); no values
  // that the device takes.
  Result<RunRequest> fit(const RunRequest& request, const std::atomic<bool>& cancel);
  // What the device takes, as far as it is known now.
  catalog::Limits limits(const RunRequest& request, bool registers = true) const;
  const KnownResources& known() const { return *known_; }

  // Counts a small sample of the blocks of a kernel and keeps nothing: for figures of many kernels. Errors:
  // as run(), a fault, a wrong result. What every block adds to is verified at the problem's usual size,
  // where no sample has its sum; the words of the count say so.
  Result<StepCount> count(const RunRequest& request, const std::atomic<bool>& cancel);

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
  void keep(const RunRequest& request, const SharedRun& run);
  Result<Resources> resources_of(const RunRequest& request, bool registers, const std::atomic<bool>& cancel);
  Result<std::optional<catalog::Values>> search(const RunRequest& request, bool registers,
                                                const std::atomic<bool>& cancel);
  Result<SharedRun> run_as_asked(const RunRequest& request, const std::atomic<bool>& cancel,
                                 const Preview& preview);
  SharedRun kept_of_any_block(const RunRequest& request);
  Result<std::shared_ptr<const problem::Instance>> instance(const RunPlan& plan);
  Result<RunJob> prepare_job(const RunRequest& request);
  Result<session::Emulation> count_blocks(const RunJob& job, const emulator::Kernel& kernel,
                                          const RunRequest& request, double sample_above,
                                          const std::atomic<bool>& cancel);
  Result<StepCount> count_sum(const RunJob& job, const emulator::Kernel& kernel, const RunRequest& request,
                              const std::atomic<bool>& cancel);
  SharedRun other_block(const RunRequest& request, const std::atomic<bool>& cancel);
  Result<SharedRun> run_whole(RunJob job, std::shared_ptr<const emulator::Kernel> kernel,
                              const RunRequest& request, const std::atomic<bool>& cancel);

  std::shared_ptr<KnownResources> known_ = std::make_shared<KnownResources>();
  BuildQueue builds_;
  std::mutex mutex_;       // guards what is below
  std::deque<Kept> kept_;  // the newest first
  std::deque<KeptInstance> instances_;
};

}  // namespace warplens::app
