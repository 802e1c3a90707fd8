#include "app/emulator_run.hpp"

#include <utility>

#include "engine/device/occupancy.hpp"
#include "engine/session/emulate.hpp"

namespace warplens::app {
namespace {

NamedValues in_order(const std::vector<std::string>& names, const catalog::Values& values) {
  NamedValues ordered;
  for (const std::string& name : names) {
    if (const auto found = values.find(name); found != values.end()) ordered.emplace_back(*found);
  }
  return ordered;
}

std::vector<std::string> parameter_names(const catalog::KernelSpec& spec) {
  std::vector<std::string> names;
  for (const auto& param : spec.params) names.push_back(param.name);
  return names;
}

}  // namespace

RunReport report_of_launch(const RunJob& job) {
  RunReport report;
  report.kernel = job.plan.spec.id;
  report.params = in_order(parameter_names(job.plan.spec), job.plan.parameters);
  report.size = in_order(job.plan.problem->size_names(), job.plan.sizes);
  report.device = job.device.id;
  report.compiled_for = job.build.arch;
  report.grid = job.plan.launch.grid;
  report.block = job.plan.launch.block;
  return report;
}

Result<RunReport> report_before_run(const RunJob& job) {
  const std::int64_t shared = shared_bytes(job.plan, job.build);
  const auto fit = device::occupancy(job.device, {threads_per_block(job.plan), job.build.registers, shared});
  if (!fit) return fit.error();
  RunReport report = report_of_launch(job);
  report.registers = job.build.registers;
  report.shared_bytes = shared;
  report.spill_bytes = job.build.spill_store_bytes + job.build.spill_load_bytes;
  report.occupancy = fit->occupancy;
  return report;
}

namespace {

GlobalTraffic global(const emulator::AccessTotals& totals) {
  return {totals.requests, totals.cost, totals.bytes_used};
}
SharedTraffic shared(const emulator::AccessTotals& totals) {
  return {totals.requests, totals.cost, totals.ideal};
}

}  // namespace

RunCounts counts_of(const emulator::Counters& counters) {
  RunCounts counts;
  counts.warp_instructions = counters.warp_instructions;
  counts.thread_instructions = counters.thread_instructions;
  counts.global_load = global(counters.global_load);
  counts.global_store = global(counters.global_store);
  counts.shared_load = shared(counters.shared_load);
  counts.shared_store = shared(counters.shared_store);
  return counts;
}

void add_outcome(RunReport& report, const session::Emulation& run) {
  report.verified = run.verification.verified;
  report.max_relative_error = run.verification.max_relative_error;
  report.explanation = run.verification.explanation;
  if (run.is_sampled()) report.sampled_blocks = run.outcome.counters.blocks_run;
  report.sample = run.sample;
  report.counts = counts_of(run.outcome.counters);
  report.shared_load_requests_before_merge = run.outcome.counters.shared_load.requests_before_merge;
  report.merge_matches_cubin = run.merge_matches_cubin;
  report.printed = run.outcome.printed;
  report.seconds = run.outcome.seconds;
  report.operations = run.operations;
}

Result<RunReport> run_on_emulator(const RunJob& job, std::vector<std::byte>* output) {
  auto report = report_before_run(job);
  if (!report) return report.error();
  const auto kernel = session::prepare(job.build, job.device);
  if (!kernel) return kernel.error();
  auto run =
      session::emulate(**kernel, job.build, *job.instance, job.plan.launch,
                       {.instruction_budget = job.instruction_budget, .keep_output = output != nullptr});
  if (!run) return run.error();
  if (run->outcome.fault) return run->outcome.fault->error;
  add_outcome(*report, *run);
  if (output != nullptr) *output = std::move(run->output);
  return report;
}

}  // namespace warplens::app
