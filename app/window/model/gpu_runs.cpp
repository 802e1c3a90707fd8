#include "app/window/model/gpu_runs.hpp"

#include <utility>

#include "app/gpu/gpu_recording.hpp"

namespace warplens::app {
namespace {

// A class waits for it: quick rather than exact to the last digit. `warplens bench` is exact.
constexpr double kSecondsOfTiming = 0.3;
constexpr double kOperationsToVerify = 1e9;
constexpr std::uint64_t kBytesToRecord = std::uint64_t{512} << 20;

GpuRunOptions options_for(const run::Run& run, const std::atomic<bool>& cancel) {
  return {.timing = {.seconds = kSecondsOfTiming, .least_samples = 3},
          .cublas = false,
          .operations_to_verify = kOperationsToVerify,
          .cancel = &cancel,
          .check = run.fault || !run.emulation.ran_whole(),
          .emulator_found = std::optional<std::optional<Error>>(std::in_place, run.fault)};
}

}  // namespace

// Lives on the worker's thread.
class GpuRuns::Worker {
 public:
  Worker(gpu::Client::Options options, std::filesystem::path home)
      : options_(std::move(options)), home_(std::move(home)) {}

  Answer look() {
    if (const Status ready = start(); !ready)
      return {.system = ready.error(), .run = {}, .workers_started = 0};
    return {.system = engine_->system(), .run = {}, .workers_started = engine_->client().workers_started()};
  }

  template <class Partial>
  Answer run(const Request& request, const std::atomic<bool>& cancel, const Partial& partial) {
    GpuAnswer answer =
        request.known ? *request.known : GpuAnswer{request.run, request.index, report_of(request, cancel)};
    if (request.with_accesses && answer.report && !cancel) {
      partial(answer_of(answer));
      answer.accesses = accesses_of(*request.run);
    }
    if (is_to_be_counted(answer) && !cancel) {
      partial(answer_of(answer));
      answer.counters = counters_of(*request.run, cancel);
    }
    return answer_of(std::move(answer));
  }

 private:
  Answer answer_of(GpuAnswer run) const {
    return {.system = {},
            .run = std::move(run),
            .workers_started = engine_ ? engine_->client().workers_started() : 0};
  }

  static bool is_to_be_counted(const GpuAnswer& answer) {
    return !answer.counters && answer.report && answer.report->verified;
  }

  // Precondition, here and below: the run was reported, on the chosen GPU.
  Result<std::vector<CounterPair>> counters_of(const run::Run& run, const std::atomic<bool>& cancel) {
    const auto counted = count_with_cupti(*engine_, *run.job, run.report.sample, &cancel);
    if (!counted) return counted.error();
    return beside(run.report.counts, *counted);
  }

  Result<GpuAccesses> accesses_of(const run::Run& run) {
    RecordRequest wanted{.blocks = {}, .bytes = kBytesToRecord};
    for (const trace::BlockSummary& block : run.trace->blocks()) wanted.blocks.push_back(block.block);
    const auto recording = record_on_gpu(*engine_, *run.job, wanted);
    if (!recording) return recording.error();
    instrument::Recording& read = (*recording)->recording;
    GpuAccesses accesses{.run = nullptr,
                         .compared = instrument::compare_traces(*run.trace, read.trace),
                         .dropped = read.dropped,
                         .left_out = (*recording)->left_out};
    accesses.run =
        run::with_trace(run, std::make_shared<const trace::Trace>(std::move(read.trace)), (*recording)->gpu);
    return accesses;
  }

  Status start() {
    if (engine_) return Done{};
    auto engine = GpuEngine::start(options_, 0);
    if (!engine) return engine.error();
    engine_ = std::make_unique<GpuEngine>(*std::move(engine));
    engine_->trust(measured::MeasuredKernels(home_));
    return Done{};
  }

  Result<run::Report> report_of(const Request& request, const std::atomic<bool>& cancel) {
    if (const Status ready = start(); !ready) return ready.error();
    if (const Status chosen = engine_->choose(request.index); !chosen) return chosen.error();
    const run::Job& job = *request.run->job;
    const int has = engine_->hardware().compute_capability, made_for = job.build.arch;
    if (has != made_for)
      return Error{"the machine code is for compute capability " + std::to_string(made_for / 10) + "." +
                       std::to_string(made_for % 10) + ", and this GPU has " + std::to_string(has / 10) +
                       "." + std::to_string(has % 10),
                   "choose the GPU again, which chooses its rules too"};
    return run_on_gpu(*engine_, job, options_for(*request.run, cancel));
  }

  gpu::Client::Options options_;
  std::filesystem::path home_;
  std::unique_ptr<GpuEngine> engine_;
};

GpuRuns::GpuRuns(std::optional<gpu::Client::Options> worker, const std::filesystem::path& home,
                 std::function<void()> wake) {
  if (!worker) {
    note_ = "no GPU: using the emulator";
    return;
  }
  jobs_ = std::make_unique<LatestWins<Request, Answer>>(
      [worker = std::make_shared<Worker>(*std::move(worker), home)](
          const Request& request, const std::atomic<bool>& cancel, const auto& partial) {
        return request.run ? worker->run(request, cancel, partial) : worker->look();
      },
      std::move(wake));
  looking_ = true;
  jobs_->submit({});
}

void GpuRuns::ask(run::SharedRun run, int index, bool with_accesses) {
  if (!jobs_ || looking_) return;
  Request request{std::move(run), index, with_accesses};
  const bool adds_accesses = with_accesses && answer_ && answer_->run == request.run &&
                             answer_->index == index && answer_->report && !answer_->accesses;
  if (adds_accesses)
    request.known = *answer_;
  else
    answer_.reset();
  jobs_->submit(std::move(request));
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
