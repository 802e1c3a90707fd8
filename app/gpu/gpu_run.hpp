// The one place where the command line meets a GPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/base/workspace.hpp"
#include "engine/base/result.hpp"
#include "engine/gpu/worker/client.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// The worker process and what it says of the machine. Kept for all runs of a command.
class GpuEngine {
 public:
  // Error: there is no GPU, with the reason ("no GPU can be used: ...").
  static Result<GpuEngine> start(const GpuOptions& options);
  static Result<GpuEngine> start(gpu::Client::Options worker, int index);

  // Which of the system's GPUs. Error: it is not there.
  Status choose(int index);
  const gpu::System& system() const { return system_; }
  const gpu::GpuDevice& hardware() const { return system_.devices[static_cast<std::size_t>(index_)]; }
  gpu::Client& client() { return client_; }
  // Kernels that run_on_gpu launches as they are, without check_on_gpu.
  void trust(measured::MeasuredKernels kernels) { trusted_ = std::move(kernels); }
  bool trusts(const catalog::KernelSpec& kernel) { return trusted_ && trusted_->have(kernel); }
  double timeout_seconds() const { return worker_.timeout_seconds; }
  // Ends the worker process; the next run starts one.
  void renew();
  // A client with a worker process of its own, new each time: one that has counted is not one to time in, and
  // CUPTI's counts of instructions come once in a process (13.0; later calls are refused).
  gpu::Client& counter();

 private:
  GpuEngine(gpu::Client::Options worker, gpu::Client client, gpu::System system)
      : worker_(std::move(worker)), client_(std::move(client)), system_(std::move(system)) {}
  gpu::Client::Options worker_;
  gpu::Client client_;
  std::optional<gpu::Client> counter_;
  gpu::System system_;
  int index_ = 0;
  std::optional<measured::MeasuredKernels> trusted_;
};

// The row of the device table for this GPU: the one that the user named where it is of the same compute
// capability, else that of the bare compute capability.
Result<device::Device> device_of(const Workspace& workspace, const gpu::GpuDevice& hardware,
                                 std::string_view named);

// The options of a client: this program as its own worker.
gpu::Client::Options client_options(double timeout_seconds);

// The plan as a job, compiled here and now. Errors: more buffers than there is room for, code that does not
// compile.
Result<run::Job> job_of(const run::Plan& plan, compile::Compiler& compiler, run::Instances& instances);

// One launch of the job on the chosen GPU, not timed.
gpu::Run launch_of(const GpuEngine& engine, const run::Job& job);

struct GpuRunOptions {
  gpu::TimingOptions timing;
  bool cublas = false;
  double operations_to_verify = 4e9;
  const std::atomic<bool>* cancel = nullptr;  // see gpu::Run
  // Whether a kernel that is not trusted is checked before; not needed where the emulator ran all of the
  // grid.
  bool check = true;
  // Where the emulator ran the job already: what it found in it, if anything.
  std::optional<std::optional<Error>> emulator_found = {};
};
GpuRunOptions gpu_run_options(const GpuOptions& options);

// Checks (see gpu_check.hpp), runs, verifies and times the job. Errors: a fault or hang of the kernel,
// explained with what the emulator finds in it; a launch that the GPU refuses. output: gets the output buffer
// where it is not null.
Result<run::Report> run_on_gpu(GpuEngine& engine, const run::Job& job, const GpuRunOptions& options,
                               std::vector<std::byte>* output = nullptr);

}  // namespace warplens::app
