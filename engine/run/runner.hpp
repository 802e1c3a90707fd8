// Runs for callers that must not wait: the five functions of run.hpp, with earlier results kept, a
// preview of the recorded blocks first, and machine code made beside the run. Everything can be cancelled.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/base/memo.hpp"
#include "engine/run/build_queue.hpp"
#include "engine/run/count.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/run.hpp"

namespace warplens::run {

struct Request {
  catalog::KernelSpec spec;
  catalog::Values parameters, sizes;  // those that are missing take their defaults
  device::Device device;
  std::uint64_t block = 0;  // to record, beside block 0; one beyond the grid is left out
  int threads = 0;          // of the host; 0: one a core
  bool background = false;  // compiled by the calling thread, past the queue of what the user waits for
  // Values that the file takes and the device does not are replaced by the nearest that both take: those are
  // in the run's plan then.
  bool nearest = false;
};
// Of two requests that are counted alike, the same: of one with its defaults left out and one with all of them
// only as_launched() is.
std::string count_key(const Request& request);
// The request with the values that it leaves out; as it is where there are none.
Request as_launched(Request request);

class Runner {
 public:
  using Preview = std::function<void(Result<SharedRun>)>;

  // gives_way: see BuildQueue.
  explicit Runner(compile::Compiler compiler, bool gives_way = false);

  // preview: called at most once, before the run is complete, where that can be had earlier. Null: not
  // wanted. Errors: values that are not valid, code that does not compile, PTX that is not known, a cancelled
  // run. May be called from several threads.
  Result<SharedRun> run(const Request& request, const std::atomic<bool>& cancel, const Preview& preview = {});
  // The run where it is still kept; null otherwise. Quick enough for the window's own thread.
  SharedRun kept(const Request& request);
  // Compiles what may be asked for next while nothing else is to be done: this plan with other values of its
  // parameters, each set complete and valid. See BuildQueue.
  void compile_ahead(const Plan& plan, const std::vector<catalog::Values>& first,
                     const std::vector<catalog::Values>& others);
  void forget_ahead() { builds_.forget_ahead(); }
  bool is_compiling_ahead() const { return builds_.is_ahead_busy(); }

  // What the device takes, as far as it is known now.
  catalog::Limits limits(const device::Device& device, const catalog::KernelSpec& spec,
                         const catalog::Values& sizes) const {
    return limits_of(device, spec, sizes, known_);
  }
  const KnownResources& known() const { return *known_; }

  // What a run of it is made of, for callers with questions of their own; nothing runs and nothing is kept.
  // Errors: as run().
  Result<Job> job(const Request& request, const std::atomic<bool>& cancel);

  // Compiles on the calling thread, past what the user waits for; what is kept is at hand at once.
  Result<compile::Build> build(const compile::Request& wanted);

  // Counts a small sample of the blocks of a kernel, see count_sample(), and keeps the count alone. Errors:
  // as run(), a fault, a wrong result.
  Result<StepCount> count(const Request& request, const std::atomic<bool>& cancel);

 private:
  struct Kept {
    Request request;
    SharedRun run;
    // Of any block. Its values may be those that were asked for, or with them those that were not named.
    bool is_of(const Request& wanted) const;
  };
  void keep(const Request& request, const SharedRun& run);
  SharedRun kept_of_any_block(const Request& request);
  Result<Job> job_of(const Request& request, bool machine_code, const std::atomic<bool>& cancel);
  SharedRun other_block(const Request& request, const std::atomic<bool>& cancel);
  BuildQueue::Answer build(const compile::Request& wanted, const Request& request,
                           const std::atomic<bool>& cancel);
  Status complete(const Plan& plan, const problem::Instance& instance, const Request& request,
                  const std::atomic<bool>& cancel);
  Result<StepCount> count_anew(const Request& request, const std::atomic<bool>& cancel);
  // The values that the request's run has, complete: see Request::nearest.
  Result<Plan> fitted_plan(const Request& request, const std::atomic<bool>& cancel);
  Result<SharedRun> run_plan(const Plan& plan, const Request& request, const std::atomic<bool>& cancel,
                             const Preview& preview);
  Result<SharedRun> run_whole(Job job, SharedKernel kernel, const Request& request,
                              const std::atomic<bool>& cancel);

  std::shared_ptr<KnownResources> known_ = std::make_shared<KnownResources>();
  BuildQueue builds_;
  Instances instances_;
  Memo<Result<StepCount>> counts_;
  std::mutex mutex_;       // guards what is below
  std::deque<Kept> kept_;  // the newest first
};

}  // namespace warplens::run
