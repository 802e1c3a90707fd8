#include "app/kernel_runner.hpp"

#include <algorithm>
#include <utility>

#include "engine/trace/recorder.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t most_runs_kept = 48, most_instances_kept = 3;
constexpr std::uint64_t most_trace_bytes_kept = std::uint64_t{512} << 20;
constexpr std::uint64_t trace_budget = std::uint64_t{96} << 20;
constexpr std::uint64_t most_buffer_bytes = std::uint64_t{4} << 30;

bool same(const RunRequest& a, const RunRequest& b) {
  return a.block == b.block && a.parameters == b.parameters && a.sizes == b.sizes &&
         a.device.id == b.device.id && a.spec.path == b.spec.path && a.spec.code == b.spec.code;
}

Error cancelled() { return {"this run was cancelled", ""}; }

void split_code(KernelRun& run) {
  run.source_lines = lines_of(run.job.plan.spec.code);
  run.ptx_lines = lines_of(run.job.build.ptx);
  run.row_of_ptx_line.assign(run.ptx_lines.size(), -1);
  const auto& code = run.kernel->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const auto line = static_cast<std::size_t>(code[pc].ptx_line);
    if (line >= 1 && line <= run.ptx_lines.size())
      run.row_of_ptx_line[line - 1] = static_cast<std::int32_t>(pc);
  }
}

// What the figures read, once everything stands where it stays.
void prepare_figures(KernelRun& run) {
  run.view = {.spec = &run.job.plan.spec,
              .launch = &run.job.plan.launch,
              .device = &run.job.device,
              .kernel = run.kernel.get(),
              .counters = &run.emulation.outcome.counters,
              .trace = &run.trace,
              .buffers = &run.buffers,
              .lines = &run.lines,
              .sampled_blocks = run.report.sampled_blocks,
              .blocks_in_grid = run.emulation.blocks_in_grid};
  for (std::size_t b = 0; b < run.trace.blocks().size(); ++b)
    run.stories.push_back(std::make_unique<const figures::AccessStory>(run.view, b));
}

}  // namespace

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end > 0 && text[end - 1] == '\r' ? end - 1 : end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

SharedRun KernelRunner::kept(const RunRequest& request) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return same(k.request, request); });
  if (found == kept_.end()) return nullptr;
  Kept entry = std::move(*found);
  kept_.erase(found);
  kept_.push_front(std::move(entry));
  return kept_.front().run;
}

void KernelRunner::keep(const RunRequest& request, const SharedRun& run) {
  const std::lock_guard lock(mutex_);
  kept_.push_front({request, run});
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (; count < kept_.size() && count < most_runs_kept; ++count) {
    bytes += kept_[count].run->trace.bytes();
    if (bytes > most_trace_bytes_kept && count > 0) break;
  }
  kept_.resize(count);
}

Result<std::shared_ptr<const problem::Instance>> KernelRunner::instance(const RunPlan& plan) {
  {
    const std::lock_guard lock(mutex_);
    for (const KeptInstance& kept : instances_) {
      if (kept.problem == plan.problem && kept.sizes == plan.sizes) return kept.instance;
    }
  }
  auto made = plan.problem->make(plan.sizes, problem::Pattern::random, 1, most_buffer_bytes);
  if (!made) return made.error();
  const std::lock_guard lock(mutex_);
  instances_.push_front({plan.problem, plan.sizes, *made});
  if (instances_.size() > most_instances_kept) instances_.pop_back();
  return *made;
}

Result<RunJob> KernelRunner::prepare_job(const RunRequest& request) {
  std::vector<RunPlan> plans;
  const auto problem = problem::find_problem(request.spec.problem);
  if (!problem) return problem.error();
  RunPlan plan{.spec = request.spec, .problem = *problem};
  plan.sizes = plan.problem->default_sizes();
  for (const auto& [name, value] : request.sizes) {
    if (const auto found = plan.sizes.find(name); found != plan.sizes.end()) found->second = value;
  }
  auto parameters = catalog::resolve_values(plan.spec, request.parameters, plan.sizes);
  if (!parameters) return parameters.error();
  plan.parameters = *std::move(parameters);
  auto data = instance(plan);
  if (!data) return data.error();
  const auto launch = catalog::launch_shape(plan.spec, plan.parameters, plan.sizes);
  if (!launch) return launch.error();
  plan.launch = *launch;
  auto build = build_plan(compiler_, plan, request.device);
  if (!build) return build.error();
  return RunJob{std::move(plan), *std::move(data), request.device, *std::move(build)};
}

Result<SharedRun> KernelRunner::run(const RunRequest& request, const std::atomic<bool>& cancel) {
  if (SharedRun found = kept(request)) return found;
  auto job = prepare_job(request);
  if (!job) return job.error();
  if (cancel) return cancelled();
  auto report = report_before_run(*job);
  if (!report) return report.error();
  auto kernel = session::prepare(job->build, job->device);
  if (!kernel) return kernel.error();

  const auto run = std::make_shared<KernelRun>();
  run->kernel = *std::move(kernel);
  trace::Recorder recorder(
      {.wants = [block = request.block](std::uint64_t b) { return b == 0 || b == block; },
       .byte_budget = trace_budget});
  auto emulation = session::emulate(*run->kernel, job->build, *job->instance, job->plan.launch,
                                    {.threads = request.threads, .observer = &recorder, .cancel = &cancel});
  if (!emulation) return emulation.error();
  if (cancel) return cancelled();
  const auto& outcome = emulation->outcome;
  run->trace = recorder.finish(outcome.fault);
  if (outcome.fault) run->fault = outcome.fault->error;
  add_outcome(*report, *emulation);
  run->buffers = report::placed_buffers(*job->instance, emulation->buffers);
  run->lines = report::line_table(outcome.counters, run->kernel->function(), run->kernel->program());
  run->instructions =
      report::instruction_table(outcome.counters, run->kernel->function(), run->kernel->program());
  run->job = *std::move(job);
  run->report = *std::move(report);
  run->emulation = *std::move(emulation);
  split_code(*run);
  prepare_figures(*run);
  keep(request, run);
  return SharedRun(run);
}

}  // namespace warplens::app
