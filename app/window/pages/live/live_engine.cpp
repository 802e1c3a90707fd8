#include "app/window/pages/live/live_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/base/workspace.hpp"
#include "app/gpu/gpu_check.hpp"
#include "app/gpu/gpu_run.hpp"
#include "engine/gpu/live/live_slices.hpp"
#include "engine/instrument/block_times.hpp"
#include "engine/run/arguments.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {
namespace {

static_assert(sizeof(instrument::BlockTime) == gpu::block_time_bytes);

constexpr double kLaunchTimeout = 10;     // seconds of one launch, while it is checked
constexpr double kSlowestLaunch = 0.5;    // seconds: beyond it nothing seems alive, and closing would wait
constexpr double kSecondsOfTiming = 0.2;  // for the median that the plot compares with

bool is_for(const compile::Build& build, const LiveGpu& gpu) {
  return build.arch == gpu.compute_capability && !build.cubin.empty();
}

// Machine code where it is for this GPU, else the PTX, which the driver compiles for it.
std::string code_of(const compile::Build& build, const LiveGpu& gpu) {
  if (!is_for(build, gpu)) return build.ptx;
  return std::string(reinterpret_cast<const char*>(build.cubin.data()), build.cubin.size());
}

// Where 98 in 100 values lie: one stray value must not make the picture one colour.
void find_range(std::span<const std::byte> output, LiveChecked& checked) {
  constexpr std::size_t most = 1 << 16;
  const std::size_t count = output.size() / sizeof(float), stride = std::max<std::size_t>(1, count / most);
  std::vector<float> values;
  for (std::size_t i = 0; i < count; i += stride) {
    float value = 0;
    std::memcpy(&value, output.data() + i * sizeof value, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const std::size_t cut = values.size() / 100;
  checked.low = values[cut];
  checked.high = values[values.size() - 1 - cut];
  if (checked.high <= checked.low) checked.high = checked.low + std::max(1e-6, std::abs(checked.low));
}

bool is_right(const run::Job& job, const Result<gpu::Execution>& execution) {
  return execution && !execution->fault && gpu::verify_output(*job.instance, execution->output).verified;
}

bool blocks_are_apart(const run::Run& run) {
  return run.kernel && run.kernel->together().alone() && run.kernel->function().cluster[0] == 0;
}

class GpuLiveEngine final : public LiveEngine {
 public:
  GpuLiveEngine(CommonOptions common, bool through_host, std::vector<std::string> worker)
      : common_(std::move(common)), through_host_(through_host), worker_(std::move(worker)) {}
  Result<LiveGpu> find() override {
    const auto driver = gpu::Driver::load();
    if (!driver) return driver.error();
    const auto devices = (*driver)->devices();
    if (!devices) return devices.error();
    if (devices->empty()) return Error{"no GPU can be used: the driver lists none", ""};
    const gpu::GpuDevice& first = devices->front();
    gpu_ = {first.name, first.compute_capability, first.multiprocessors};
    return gpu_;
  }

  Result<LiveChecked> check(const run::Run& run) override {
    if (run.fault) return *run.fault;
    if (!context_) {
      auto retained = gpu::PrimaryContext::retain(0);
      if (!retained) return retained.error();
      context_ = *std::move(retained);
    }
    run::Job job = *run.job;
    if (const auto built = build_for_chip(job); !built) return built.error();
    const std::string code = code_of(job.build, gpu_);
    LiveChecked checked;
    if (const auto fit = look_at_accesses(run, job); !fit) return fit.error();
    if (const auto done = verify(job, code, checked); !done) return done.error();
    gpu::LiveRequest request{.device = 0,
                             .code = code,
                             .timed_ptx = timed(job),
                             // Blocks that wait for each other cannot be shown one after the other.
                             .sliced_ptx = blocks_are_apart(run) ? sliced(job) : "",
                             .kernel_name = job.build.kernel_name,
                             .launch = job.plan.launch,
                             .instance = job.instance,
                             .seconds_of_launch = checked.seconds_of_launch,
                             .through_host = through_host_,
                             .cooperative = run::is_cooperative(job.build.ptx)};
    checked.timeline = !request.timed_ptx.empty();
    checked.slices = !request.sliced_ptx.empty();
    checked.start = [request = std::move(request), last = last_] {
      return std::make_unique<gpu::LiveLoop>(request, last);
    };
    return checked;
  }

 private:
  // The emulator's device need not be the GPU that is in this computer.
  Status build_for_chip(run::Job& job) {
    if (is_for(job.build, gpu_)) return Done{};
    if (!compiler_) {
      const auto workspace = Workspace::open(common_);
      if (!workspace) return workspace.error();
      compiler_ = std::make_unique<compile::Compiler>(workspace->compiler());
    }
    compile::Request request = build_request(job.plan);
    request.arch = gpu_.compute_capability;
    auto build = compiler_->compile(request);
    if (build) job.build = *std::move(build);
    // A GPU younger than the compiler takes PTX for older ones.
    if (build || job.build.arch <= gpu_.compute_capability) return Done{};
    return build.error();
  }

  Result<gpu::Execution> run(const run::Job& job, const std::string& code, const catalog::LaunchShape& launch,
                             std::optional<gpu::TimingOptions> timing,
                             std::optional<gpu::ExtraBuffer> extra = {}) {
    return client().run({.device = 0,
                         .cubin = std::as_bytes(std::span(code)),
                         .kernel_name = job.build.kernel_name,
                         .launch = launch,
                         .instance = job.instance,
                         .timing = timing,
                         .product = {},
                         .extra = extra,
                         .cooperative = run::is_cooperative(job.build.ptx)});
  }

  // Of a kernel of which neither the emulator nor any recording says that it is fit to be launched.
  Status look_at_accesses(const run::Run& run, const run::Job& job) {
    if (run.emulation.ran_whole()) return Done{};
    if (!measured_) {
      const auto workspace = Workspace::open(common_);
      if (!workspace) return workspace.error();
      measured_.emplace(workspace->home());
    }
    if (measured_->have(job.plan.spec)) return Done{};
    const auto found = check_on_gpu(client(), job, {.timeout_seconds = kLaunchTimeout});
    if (!found) return found.error();
    return found->fault ? Status(found->fault->error) : Status(Done{});
  }

  gpu::Client& client() {
    if (!client_) {
      gpu::Client::Options options = client_options(kLaunchTimeout);
      if (!worker_.empty()) options.worker_command = worker_;
      client_ = std::make_unique<gpu::Client>(options);
    }
    return *client_;
  }

  Status verify(const run::Job& job, const std::string& code, LiveChecked& checked) {
    const auto execution =
        run(job, code, job.plan.launch, gpu::TimingOptions{.seconds = kSecondsOfTiming, .least_samples = 3});
    if (!execution) return execution.error();
    if (execution->fault) return execution->fault->error;
    const auto verification = gpu::verify_output(*job.instance, execution->output);
    if (!verification.verified)
      return Error{"the result on the GPU is wrong: " + verification.explanation,
                   "only a kernel that computes what it should is shown live"};
    checked.seconds_of_launch = execution->timing ? execution->timing->kernel.median : 0;
    if (checked.seconds_of_launch > kSlowestLaunch)
      return Error{
          fmt::format("one launch takes {:.2g} s, too long to be watched live", checked.seconds_of_launch),
          "choose a smaller size"};
    find_range(execution->output, checked);
    return Done{};
  }

  // The form that does a part of the blocks, where it computes the same; else empty.
  std::string sliced(const run::Job& job) {
    auto code = gpu::with_first_block(job.build.ptx, job.plan.launch.grid);
    const std::uint64_t blocks = catalog::blocks_in_grid(job.plan.launch);
    if (!code || blocks > 0x7fffffff) return "";
    catalog::LaunchShape launch = job.plan.launch;
    launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    return is_right(job, run(job, *code, launch, {})) ? *std::move(code) : std::string();
  }

  // The form that says when its blocks ran, in the same way.
  std::string timed(const run::Job& job) {
    auto code = instrument::with_block_times(job.build.ptx, job.build.kernel_name);
    const std::uint64_t blocks = catalog::blocks_in_grid(job.plan.launch);
    if (!code || blocks > gpu::most_blocks_watched) return "";
    const gpu::ExtraBuffer rows{.bytes = blocks * gpu::block_time_bytes};
    std::string limited =
        gpu::with_registers_of(*std::move(code), job.build.kernel_name, job.build.registers);
    return is_right(job, run(job, limited, job.plan.launch, {}, rows)) ? limited : std::string();
  }

  CommonOptions common_;
  bool through_host_;
  std::vector<std::string> worker_;
  LiveGpu gpu_;
  std::unique_ptr<compile::Compiler> compiler_;
  std::shared_ptr<const gpu::PrimaryContext> context_;
  std::unique_ptr<gpu::Client> client_;
  std::optional<measured::MeasuredKernels> measured_;
};

}  // namespace

std::shared_ptr<LiveEngine> make_gpu_live_engine(CommonOptions common, bool through_host,
                                                 std::vector<std::string> worker) {
  return std::make_shared<GpuLiveEngine>(std::move(common), through_host, std::move(worker));
}

}  // namespace warplens::app
