#include "app/window/gpu_runs.hpp"

#include <utility>

namespace warplens::app {
namespace {

// A class waits for it: quick rather than exact to the last digit. `warplens bench` is exact.
constexpr double seconds_of_timing = 0.3;
constexpr double operations_to_verify = 1e9;

GpuRunOptions options_for(const KernelRun& run, const std::atomic<bool>& cancel) {
  return {.timing = {.seconds = seconds_of_timing, .least_samples = 3},
          .cublas = false,
          .operations_to_verify = operations_to_verify,
          .cancel = &cancel,
          .emulator_found = std::optional<std::optional<Error>>(std::in_place, run.fault)};
}

}  // namespace

// Lives on the worker's thread.
class GpuRuns::Worker {
 public:
  explicit Worker(gpu::Client::Options options) : options_(std::move(options)) {}

  Answer look() {
    if (const Status ready = start(); !ready)
      return {.system = ready.error(), .run = {}, .workers_started = 0};
    return {.system = engine_->system(), .run = {}, .workers_started = engine_->client().workers_started()};
  }

  Answer run(const Request& request, const std::atomic<bool>& cancel) {
    auto report = report_of(request, cancel);
    return {.system = {},
            .run = GpuAnswer{request.run, request.index, std::move(report)},
            .workers_started = engine_ ? engine_->client().workers_started() : 0};
  }

 private:
  Status start() {
    if (engine_) return Done{};
    auto engine = GpuEngine::start(options_, 0);
    if (!engine) return engine.error();
    engine_ = std::make_unique<GpuEngine>(*std::move(engine));
    return Done{};
  }

  Result<RunReport> report_of(const Request& request, const std::atomic<bool>& cancel) {
    if (const Status ready = start(); !ready) return ready.error();
    if (const Status chosen = engine_->choose(request.index); !chosen) return chosen.error();
    const RunJob& job = request.run->job;
    const int has = engine_->chip().compute_capability, made_for = job.build.arch;
    if (has != made_for)
      return Error{"the machine code is for compute capability " + std::to_string(made_for / 10) + "." +
                       std::to_string(made_for % 10) + ", and this GPU has " + std::to_string(has / 10) +
                       "." + std::to_string(has % 10),
                   "choose the GPU again, which chooses its rules too"};
    return run_on_gpu(*engine_, job, options_for(*request.run, cancel));
  }

  gpu::Client::Options options_;
  std::unique_ptr<GpuEngine> engine_;
};

GpuRuns::GpuRuns(std::optional<gpu::Client::Options> worker, std::function<void()> wake) {
  if (!worker) {
    note_ = "no GPU: using the emulator";
    return;
  }
  jobs_ = std::make_unique<LatestWins<Request, Answer>>(
      [worker = std::make_shared<Worker>(*std::move(worker))](const Request& request,
                                                              const std::atomic<bool>& cancel, const auto&) {
        return request.run ? worker->run(request, cancel) : worker->look();
      },
      std::move(wake));
  looking_ = true;
  jobs_->submit({});
}

void GpuRuns::ask(SharedRun run, int index) {
  if (!jobs_ || looking_) return;
  answer_.reset();
  jobs_->submit({std::move(run), index});
}

void GpuRuns::cancel() {
  if (jobs_ && !looking_) jobs_->cancel();
  answer_.reset();
}

bool GpuRuns::poll() {
  auto answer = jobs_ ? jobs_->poll() : std::nullopt;
  if (!answer) return false;
  workers_started_ = answer->workers_started;
  if (answer->run) answer_ = std::move(answer->run);
  if (!answer->system) return true;
  looking_ = false;
  if (*answer->system)
    devices_ = (*answer->system)->devices;
  else
    note_ = "no GPU: using the emulator (" + answer->system->error().message + ")";
  return true;
}

std::optional<double> GpuRuns::busy_seconds() const { return jobs_ ? jobs_->busy_seconds() : std::nullopt; }

}  // namespace warplens::app
