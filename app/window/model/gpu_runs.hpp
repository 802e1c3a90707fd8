// The GPUs behind the window: which there are, and the newest kernel's run on one of them, verified, timed
// and recorded. Everything happens on one worker thread, and every launch in a process of its own
// (engine/gpu/worker/client.hpp), so that a kernel that faults or hangs costs its answer only. Nothing here
// waits.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gpu/gpu_run.hpp"
#include "app/gpu/hardware_counters.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/instrument/compare.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

// What the GPU wrote down of a run: the accesses of the blocks that the emulator recorded.
struct GpuAccesses {
  run::SharedRun run;  // with these accesses; counts are the emulator's
  instrument::TraceComparison compared;
  std::uint64_t dropped = 0;          // that had no room
  std::vector<std::string> left_out;  // kinds of instructions that are not recorded
};

// What a GPU made of a run. Errors: the kernel's fault or hang, with what the emulator found in it; a launch
// that the GPU refuses; machine code that is not for it.
struct GpuAnswer {
  run::SharedRun run;  // the emulator's, of the same kernel, parameters and sizes
  int index = 0;       // of the GPU
  Result<run::Report> report;
  std::optional<Result<GpuAccesses>> accesses = {};  // where they were asked for; follows the report
  // The hardware's counters beside the emulator's, for the same blocks; they follow if the result is right.
  std::optional<Result<std::vector<CounterPair>>> counters = {};
};

class GpuRuns {
 public:
  struct Asked {
    run::SharedRun run;  // that the GPU has, or had
    int index = 0;       // of the GPU
    bool accesses = false;
  };

  // Looks for GPUs at once. worker: how its process is started; empty if no GPU shall be looked for.
  // home: the folder of the recordings that say which kernels have been seen right on a GPU.
  GpuRuns(std::optional<gpu::Client::Options> worker, const std::filesystem::path& home,
          std::function<void()> wake);

  bool is_looking() const { return looking_; }
  const std::vector<gpu::GpuDevice>& devices() const { return devices_; }
  // "no GPU: using the emulator (...)"; empty where there is one, or where it is still looked for.
  const std::string& note() const { return note_; }

  // Takes the place of what was asked before. Where only the accesses are new, times are not taken again.
  // run: complete.
  void ask(run::SharedRun run, int index, bool with_accesses = false);
  void cancel();
  // Takes what the worker finished; true where there was something.
  bool poll();
  // The newest; null until it is there.
  const GpuAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
  // How long the newest request has been at work.
  std::optional<double> busy_seconds() const;
  int workers_started() const { return workers_started_; }  // processes, in all

 private:
  struct Request {
    run::SharedRun run;  // null: look for GPUs
    int index = 0;
    bool with_accesses = false;
    std::optional<GpuAnswer> known = {};  // of the same run
  };
  struct Answer {
    std::optional<Result<gpu::System>> system;
    std::optional<GpuAnswer> run;
    int workers_started = 0;
  };
  class Worker;

  bool looking_ = false;
  std::vector<gpu::GpuDevice> devices_;
  std::string note_;
  std::optional<GpuAnswer> answer_;
  int workers_started_ = 0;
  std::unique_ptr<LatestWins<Request, Answer>> jobs_;  // last: its thread is done before the rest goes
};

}  // namespace warplens::app
