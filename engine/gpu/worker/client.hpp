// Runs kernels on the GPU from a program that must survive them.
//
// Every launch happens in a worker process: this program, started again with a hidden command. Why a process
// and not deadlines written into the PTX alone: an illegal address ends the driver for the process it
// happened in (no call succeeds after it, for any context), so a process is needed for that in any case, and
// ending it stops an endless loop too, in the very machine code that is measured. The price is one start of
// the driver (about half a second) after a fault, and buffers in shared memory.
//
// A fault harms windows too, where the same GPU draws them: see app/gpu/gpu_check.hpp, which keeps kernels
// that have not been verified yet from faulting at all.
//
//   Client client({.worker_command = {"/usr/bin/warplens", "gpu-worker"}});
//   auto system = client.system();           // which GPUs there are, or why none
//   auto run = client.run({...});            // an Error, a Fault, or a result with its times
//
// Not thread-safe. The worker is started when it is first needed and again after it was lost.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/gpu/types.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::gpu {

struct Run {
  int device = 0;
  // A cubin for the device's compute capability, or PTX text, which the driver compiles.
  std::span<const std::byte> cubin;
  std::string kernel_name;
  catalog::LaunchShape launch;
  std::shared_ptr<const problem::Instance> instance;
  std::optional<TimingOptions> timing;    // nothing: one launch, for its result
  std::optional<Product> product;         // time cuBLAS beside it
  std::optional<ExtraBuffer> extra = {};  // its start_bytes are those of extra_start
  std::span<const std::byte> extra_start = {};
  double timeout_factor = 1;  // the timeout of the options times this, for code that was made slower
  // Of CUPTI: counted on fresh buffers, instead of timing; the least of three launches. The worker stays
  // hooked into the driver afterwards, so use a client of its own for this.
  std::vector<std::string> metrics = {};
  // Counted beside them, of the kernel's own instructions: see Cupti::count_instructions. Where this CUPTI
  // cannot, the answer has none.
  std::vector<std::string> instruction_metrics = {};
  bool cooperative = false;  // all blocks at once: the kernel has grid.sync()
  // Where set: the result is not wanted any more, and a worker that does not reply soon after is ended. May
  // be set from another thread.
  const std::atomic<bool>* cancel = nullptr;
};

struct Execution {
  std::optional<Fault> fault;  // then there is nothing else
  std::optional<Timing> timing;
  // Of the output buffer after one launch on fresh buffers; good until the next run.
  std::span<const std::byte> output;
  std::span<const std::byte> yardstick;    // cuBLAS's result; empty where it did not run
  std::string printed;                     // by the kernel's printf, of every launch; at most 64 KiB
  std::vector<std::byte> extra = {};       // of the extra buffer: all, or up to the last record
  std::vector<std::uint64_t> places = {};  // device addresses of the instance's buffers, where there was one
  std::vector<double> counted = {};        // one number for each of the run's metrics
  std::vector<double> instructions = {};   // and of its instruction_metrics, or nothing
};

class Client {
 public:
  struct Options {
    std::vector<std::string> worker_command;  // the program and its words; descriptor 3 is the channel
    double timeout_seconds = 10;  // the longest silence of the worker: one launch may not take longer
    // More of it for the first run after a worker was lost. On an H100 that draws a window too, driver
    // 580.159, all work stood still for 4.1 to 15.0 s while the driver took the GPU back from the old process
    // (without a window: 0.1 s).
    double recovery_seconds = 10;
    // The longest silence before the launch: the driver starts, takes the data, compiles PTX. Not less than
    // timeout_seconds.
    double start_seconds = 60;
    std::vector<std::filesystem::path> library_folders = {};  // to look for cuBLAS and CUPTI in
  };
  explicit Client(Options options);
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  // Error: the worker cannot be started. No GPU is no error: System::reason says why.
  Result<System> system();
  // Errors: a launch that the GPU refuses, no memory, cancelled, metrics that cannot be counted. A kernel's
  // fault is in the Execution.
  Result<Execution> run(const Run& run);
  int workers_started() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Verifies the output of a run: all of it where that is quick, else whole 32 x 32 tiles of it, spread evenly
// with the corners among them, and that no element anywhere is still poison. operations_at_most: of the
// reference to compute.
problem::Verification verify_output(const problem::Instance& instance, std::span<const std::byte> output,
                                    double operations_at_most = 4e9);

}  // namespace warplens::gpu
