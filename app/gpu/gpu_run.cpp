#include "app/gpu/gpu_run.hpp"

#include <fmt/format.h>

#include "app/gpu/gpu_check.hpp"
#include "app/gpu/gpu_report.hpp"
#include "engine/problem/work.hpp"
#include "engine/run/arguments.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {
namespace {

gpu::Run request_of(const GpuEngine& engine, const run::Job& job, const GpuRunOptions& options) {
  gpu::Run run = launch_of(engine, job);
  run.timing = options.timing;
  run.cancel = options.cancel;
  if (options.cublas) run.product = gpu::product_of(job.plan.spec.problem, job.plan.sizes);
  return run;
}

// What the emulator finds in the job; empty if it finds nothing. Error: it cannot run it.
Result<std::optional<Error>> emulator_finding(const run::Job& job) {
  const auto run = run::execute(job);
  if (!run) return run.error();
  const auto& fault = run->emulation.outcome.fault;
  return fault ? std::optional(fault->error) : std::nullopt;
}

// With what the emulator says of the kernel that failed on the GPU.
Error explained(const gpu::Fault& fault, const run::Job& job, const GpuRunOptions& options) {
  Error error = fault.error;
  const auto found =
      options.emulator_found ? Result<std::optional<Error>>(*options.emulator_found) : emulator_finding(job);
  if (!found) return error;
  if (!*found) {
    error.message += "; the emulator finds no fault in it with these values";
    return error;
  }
  const bool same = error.place.line != 0 && error.place == (*found)->place;
  error.message += same ? "; the emulator finds the same" : "; the emulator finds: " + (*found)->message;
  error.next_step = (*found)->next_step;
  if (error.place.line == 0) error.place = (*found)->place;
  return error;
}

void add_execution(run::Report& report, const gpu::Execution& execution, const run::Job& job,
                   const GpuRunOptions& options) {
  const auto verification = gpu::verify_output(*job.instance, execution.output, options.operations_to_verify);
  report.engine = "gpu";
  report.counted = false;
  report.verified = verification.verified;
  report.max_relative_error = verification.max_relative_error;
  report.explanation = verification.explanation;
  report.mistake = verification.mistake;
  report.printed = execution.printed;
  report.operations = job.instance->operations();
  if (!execution.timing) return;
  report.seconds = execution.timing->kernel.median;
  report.gpu->timing = *execution.timing;
  report.gpu->checked_elements = verification.checked_elements;
  if (!execution.yardstick.empty()) {
    report.gpu->cublas_verified =
        gpu::verify_output(*job.instance, execution.yardstick, options.operations_to_verify).verified;
  }
}

}  // namespace

gpu::Client::Options client_options(double timeout_seconds) {
  const Environment environment = read_environment();
  gpu::Client::Options options{.worker_command = {environment.executable.string(), "gpu-worker"},
                               .timeout_seconds = timeout_seconds};
  for (const std::string& folder : {environment.cuda_path, environment.virtual_env}) {
    if (!folder.empty()) options.library_folders.emplace_back(folder);
  }
  return options;
}

Result<GpuEngine> GpuEngine::start(const GpuOptions& options) {
  return start(client_options(options.timeout), options.index);
}

Result<GpuEngine> GpuEngine::start(gpu::Client::Options worker, int index) {
  gpu::Client client(worker);
  auto system = client.system();
  if (!system) return system.error();
  if (system->devices.empty()) return Error{system->reason, ""};
  GpuEngine engine(std::move(worker), std::move(client), *std::move(system));
  if (const Status chosen = engine.choose(index); !chosen) return chosen.error();
  return engine;
}

void GpuEngine::renew() { client_ = gpu::Client(worker_); }

gpu::Client& GpuEngine::counter() {
  counter_.emplace(worker_);
  return *counter_;
}

Status GpuEngine::choose(int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= system_.devices.size())
    return Error{fmt::format("there is no GPU {}", index), "see those that are with 'warplens gpus'"};
  index_ = index;
  return Done{};
}

Result<device::Device> device_of(const Workspace& workspace, const gpu::GpuDevice& hardware,
                                 std::string_view named) {
  auto device = workspace.device(named);
  if (!device || device->compute_capability == hardware.compute_capability) return device;
  return workspace.device(
      fmt::format("{}.{}", hardware.compute_capability / 10, hardware.compute_capability % 10));
}

Result<run::Job> job_of(const run::Plan& plan, compile::Compiler& compiler, run::Instances& instances) {
  auto instance = instances.instantiate(plan);
  if (!instance) return instance.error();
  auto build = run::compile(compiler, plan);
  if (!build) return build.error();
  const Status complete = instances.complete(
      plan, **instance, [&](const compile::Request& one) { return compiler.compile(one); });
  if (!complete) return complete.error();
  return run::Job{plan, *std::move(instance), *std::move(build)};
}

gpu::Run launch_of(const GpuEngine& engine, const run::Job& job) {
  return {.device = engine.hardware().index,
          .cubin = job.build.cubin,
          .kernel_name = job.build.kernel_name,
          .launch = job.plan.launch,
          .instance = job.instance,
          .timing = {},
          .product = {},
          .cooperative = run::is_cooperative(job.build.ptx)};
}

GpuRunOptions gpu_run_options(const GpuOptions& options) {
  return {.timing = {.seconds = options.seconds, .cold = options.cold}, .cublas = options.cublas};
}

Result<run::Report> run_on_gpu(GpuEngine& engine, const run::Job& job, const GpuRunOptions& options,
                               std::vector<std::byte>* output) {
  auto report = run::report_before(job);
  if (!report) return report.error();
  std::string not_checked;
  if (options.check && !engine.trusts(job.plan.spec)) {
    const auto checked = check_on_gpu(engine.client(), job,
                                      {.device = engine.hardware().index,
                                       .timeout_seconds = engine.timeout_seconds(),
                                       .cancel = options.cancel});
    if (!checked) return checked.error();
    if (checked->fault) return explained(*checked->fault, job, options);
    not_checked = checked->not_checked;
  }
  const auto execution = engine.client().run(request_of(engine, job, options));
  if (!execution) return execution.error();
  if (execution->fault) return explained(*execution->fault, job, options);
  report->gpu = run::GpuReport{.device = engine.hardware().name,
                               .driver = engine.system().driver,
                               .cuda_version = engine.system().cuda_version,
                               .timing = {},
                               .checked_elements = 0,
                               .cublas_verified = {},
                               .operations = job.instance->operations(),
                               .has_whole_results = problem::has_whole_results(*job.instance),
                               .least_bytes = job.instance->least_bytes(),
                               .not_checked = not_checked};
  add_execution(*report, *execution, job, options);
  if (output != nullptr) output->assign(execution->output.begin(), execution->output.end());
  return report;
}

}  // namespace warplens::app
