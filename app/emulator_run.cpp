#include "app/emulator_run.hpp"

#include <utility>

#include "engine/device/occupancy.hpp"

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

Result<RunReport> report_before_run(const RunJob& job) {
  const std::int64_t shared = shared_bytes(job.plan, job.build);
  const auto fit = device::occupancy(job.device, {threads_per_block(job.plan), job.build.registers, shared});
  if (!fit) return fit.error();
  RunReport report;
  report.kernel = job.plan.spec.id;
  report.params = in_order(parameter_names(job.plan.spec), job.plan.parameters);
  report.size = in_order(job.plan.problem->size_names(), job.plan.sizes);
  report.device = job.device.id;
  report.compiled_for = job.build.arch;
  report.grid = job.plan.launch.grid;
  report.block = job.plan.launch.block;
  report.registers = job.build.registers;
  report.shared_bytes = shared;
  report.spill_bytes = job.build.spill_store_bytes + job.build.spill_load_bytes;
  report.occupancy = fit->occupancy;
  return report;
}

Result<RunReport> run_on_emulator(const RunJob& job) {
  auto report = report_before_run(job);
  if (!report) return report.error();
  return Error{"this build has no emulator", "build a version that has engine/emulator"};
}

}  // namespace warplens::app
