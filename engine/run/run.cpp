#include "engine/run/run.hpp"
#include "engine/run/device_limits.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/catalog/rules.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/problem/work.hpp"
#include "engine/run/issued.hpp"
#include "engine/trace/recorder.hpp"

namespace warplens::run {
namespace {

constexpr std::uint64_t kTraceBudget = std::uint64_t{96} << 20;

// Block 0 and the chosen one; one beyond the grid is left out.
std::vector<std::uint64_t> blocks_to_record(std::uint64_t block, const catalog::LaunchShape& launch) {
  if (block == 0 || block >= catalog::blocks_in_grid(launch)) return {0};
  return {0, block};
}

NamedValues in_order(const std::vector<std::string>& names, const catalog::Values& values) {
  NamedValues ordered;
  for (const std::string& name : names) {
    if (const auto found = values.find(name); found != values.end()) ordered.emplace_back(*found);
  }
  return ordered;
}

// Needs no machine code.
Report report_of_launch(const Job& job) {
  Report report;
  report.kernel = job.plan.spec.id;
  report.params = in_order(catalog::parameter_names(job.plan.spec), job.plan.parameters);
  report.size = in_order(job.plan.problem->size_names(), job.plan.sizes);
  report.device = job.plan.device.id;
  report.compiled_for = job.build.arch;
  report.grid = job.plan.launch.grid;
  report.block = job.plan.launch.block;
  report.hardware = job.plan.device;
  report.problem_operations = job.instance->operations();
  report.has_whole_results = problem::has_whole_results(*job.instance);
  report.least_bytes = job.instance->least_bytes();
  return report;
}

std::optional<bool> check_vectorized(const compile::Build& build, const emulator::Kernel& kernel) {
  const auto issued = issued_accesses(build);
  if (!issued) return std::nullopt;
  return emulator::are_issued(kernel.function(), kernel.shared_accesses(), issued->accesses);
}

// Verification, counts, time.
void add_outcome(Report& report, const Emulation& run) {
  report.verified = run.verification.verified;
  report.max_relative_error = run.verification.max_relative_error;
  report.explanation = run.verification.explanation;
  report.mistake = run.verification.mistake;
  report.not_checked = run.verification.not_checked;
  if (run.is_sampled()) report.sampled_blocks = run.outcome.counters.blocks_run;
  if (run.is_sampled()) report.sample = run.sample;
  if (!run.ran_whole()) report.blocks_run = run.blocks_ran();
  report.counts = run.outcome.counters;
  for (const auto& row : run.outcome.counters.instructions) report.diverged += row.diverged;
  report.shared_load_requests_in_ptx = run.outcome.counters.shared_load.requests_in_ptx;
  report.printed = run.outcome.printed;
  report.seconds = run.outcome.seconds;
  report.operations = run.operations;
  if (run.stands_for_all)  // those that took the time
    report.operations *= static_cast<double>(run.blocks_ran()) / static_cast<double>(run.blocks_in_grid);
}

// Behind the code, for debuggers: the name of the kernel's file, in full, and sections of bytes.
void leave_out_debug_lines(Run& run) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < run.row_of_ptx_line.size(); ++i)
    if (run.row_of_ptx_line[i] >= 0) last = i;
  const auto is_for_debuggers = [](std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.starts_with(".file") || line.starts_with(".section");
  };
  for (std::size_t i = last + 1; i < run.ptx_lines.size(); ++i)
    if (is_for_debuggers(run.ptx_lines[i])) run.ptx_lines.resize(i), run.row_of_ptx_line.resize(i);
}

void split_code(Run& run) {
  run.source_lines = lines_of(run.job->plan.spec.code);
  run.ptx_lines = lines_of(run.job->build.ptx);
  run.row_of_ptx_line.assign(run.ptx_lines.size(), -1);
  const auto& code = run.kernel->function().code;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const auto line = static_cast<std::size_t>(code[pc].ptx_line);
    if (line >= 1 && line <= run.ptx_lines.size())
      run.row_of_ptx_line[line - 1] = static_cast<std::int32_t>(pc);
  }
  leave_out_debug_lines(run);
}

void tell_stories(Run& run) {
  const Plan& plan = run.job->plan;
  for (std::size_t b = 0; b < run.trace->blocks().size(); ++b) {
    run.stories.push_back(std::make_shared<const report::AccessStory>(
        run.trace, b, run.buffers, report::KernelText{*run.kernel, plan.spec.code, plan.parameters}));
    const trace::BlockLanes* lanes =
        run.lanes == nullptr ? nullptr : run.lanes->of(run.trace->blocks()[b].block);
    run.trees.push_back(lanes == nullptr ? nullptr
                                         : report::reduction_tree(*lanes, run.kernel->function(),
                                                                  run.kernel_lines, *run.stories.back()));
  }
}

Run run_of(Job job, Execution execution) {
  Run run;
  run.job = std::make_shared<const Job>(std::move(job));
  run.kernel = std::move(execution.kernel);
  run.emulation = std::move(execution.emulation);
  run.trace = execution.trace ? std::move(execution.trace) : std::make_shared<const trace::Trace>();
  run.lanes = std::move(execution.lanes);
  return run;
}

// Everything that follows from what is there already.
SharedRun completed(Run run) {
  const auto& counters = run.emulation.outcome.counters;
  const ptx::Function& function = run.kernel->function();
  const ptx::Program& program = run.kernel->program();
  run.source = fingerprint(run.job->plan.spec.code);
  run.buffers = report::placed_buffers(*run.job->instance, run.emulation.buffers);
  run.lines = report::line_table(counters, function, program);
  run.instructions = report::instruction_table(counters, function, program);
  run.kernel_lines = report::kernel_lines(function, program, run.job->plan.spec.code);
  split_code(run);
  tell_stories(run);
  return std::make_shared<const Run>(std::move(run));
}

}  // namespace

Result<compile::Build> compile(compile::Compiler& compiler, const Plan& plan) {
  return compiler.compile(build_request(plan));
}

Result<Execution> execute(const Job& job, const ExecuteOptions& options, SharedKernel kernel) {
  if (kernel == nullptr) {
    auto prepared = prepare(job.build, job.plan.device);
    if (!prepared) return prepared.error();
    kernel = *std::move(prepared);
  }
  const std::uint64_t chosen = options.record.value_or(0);
  trace::Recorder recorder(
      {.wants = [chosen](std::uint64_t b) { return b == 0 || b == chosen; }, .byte_budget = kTraceBudget});
  EmulationOptions how{.threads = options.threads,
                       .observer = options.record ? &recorder : nullptr,
                       .cancel = options.cancel,
                       .counts_only = options.counts_only,
                       .instruction_budget = job.instruction_budget,
                       .keep_output = options.keep_output,
                       .stop_at_uninitialised = options.stop_at_uninitialised};
  auto& blocks = options.recorded_blocks_only ? how.blocks : how.also;
  if (options.record || options.recorded_blocks_only) blocks = blocks_to_record(chosen, job.plan.launch);
  auto emulation = emulate(*kernel, *job.instance, job.plan.launch, how);
  if (!emulation) return emulation.error();
  Execution execution{std::move(kernel), *std::move(emulation), nullptr, nullptr};
  const emulator::Outcome& outcome = execution.emulation.outcome;
  if (!options.record) return execution;
  execution.trace = std::make_shared<const trace::Trace>(recorder.finish(outcome.fault));
  if (!outcome.fault && lanes_differ(execution.kernel->function(), outcome.counters))
    execution.lanes = watch_lanes(*execution.kernel, *job.instance, job.plan.launch,
                                  blocks_to_record(chosen, job.plan.launch), options.cancel);
  return execution;
}

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end > 0 && text[end - 1] == '\r' ? end - 1 : end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Result<Report> report_before(const Job& job) {
  const std::int64_t shared = shared_bytes(job.plan, job.build);
  const Plan& plan = job.plan;
  const int registers = registers_on(plan.device, plan.spec, plan.parameters, job.build.registers);
  const auto fit = device::occupancy(plan.device, {threads_per_block(plan), registers, shared});
  if (!fit) return fit.error();
  Report report = report_of_launch(job);
  report.registers = job.build.registers;
  report.device_registers = registers;
  report.shared_bytes = shared;
  report.spill_bytes = job.build.spill_store_bytes + job.build.spill_load_bytes;
  report.spill_stores = job.build.spill_store_bytes;
  report.occupancy = fit->occupancy;
  return report;
}

Result<SharedRun> tabulate(Job job, Execution execution) {
  auto report = report_before(job);
  if (!report) return report.error();
  add_outcome(*report, execution.emulation);
  report->stopped = execution.emulation.outcome.fault.has_value();
  if (execution.unwritten_read && !report->stopped) {
    report->verified = false;
    report->explanation = to_line(*execution.unwritten_read);
    report->mistake = problem::Mistake::differs;
  }
  report->vectorized_as_in_cubin = check_vectorized(job.build, *execution.kernel);
  Run run = run_of(std::move(job), std::move(execution));
  run.report = *std::move(report);
  if (run.emulation.outcome.fault) run.fault = run.emulation.outcome.fault->error;
  return completed(std::move(run));
}

SharedRun tabulate_preview(Job job, Execution execution) {
  Run run = run_of(std::move(job), std::move(execution));
  run.complete = false;
  run.report = report_of_launch(*run.job);
  run.emulation.sample.clear();
  run.emulation.stands_for_all = false;
  run.emulation.outcome.counters = {};
  run.emulation.outcome.counters.instructions.resize(run.kernel->function().code.size());
  return completed(std::move(run));
}

SharedRun with_trace(const Run& whole, std::shared_ptr<const trace::Trace> trace,
                     const std::string& recorded_on, std::shared_ptr<const trace::LaneTrace> lanes) {
  auto run = std::make_shared<Run>(whole);
  run->recorded_on = recorded_on;
  run->trace = std::move(trace);
  if (lanes) run->lanes = std::move(lanes);
  run->fault.reset();
  run->stories.clear(), run->trees.clear();
  tell_stories(*run);
  return run;
}

Result<SharedRun> run_on_emulator(const Job& job, bool keep_output) {
  auto execution = execute(job, {.keep_output = keep_output});
  if (!execution) return execution.error();
  if (execution->emulation.outcome.fault) return execution->emulation.outcome.fault->error;
  return tabulate(job, *std::move(execution));
}

}  // namespace warplens::run
