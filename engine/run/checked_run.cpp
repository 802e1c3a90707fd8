#include "engine/run/checked_run.hpp"

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/run/check_blocks.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

// Waits that never end would take the whole budget once more.
bool never_ends(const std::optional<emulator::Fault>& fault) {
  return fault && (fault->kind == emulator::Fault::Kind::deadlock || fault->kind == emulator::Fault::Kind::budget);
}

bool same_place(const Finding& a, const Finding& b) { return a.kind == b.kind && a.line == b.line; }

// A fault of a block that the checkers did not watch.
Finding finding_of(const emulator::Fault& fault) {
  using F = emulator::Fault::Kind;
  Finding finding;
  finding.kind = fault.kind == F::misaligned ? Kind::misaligned
                 : fault.kind == F::barrier  ? Kind::divergent_barrier
                 : fault.kind == F::budget   ? Kind::endless_loop
                 : fault.kind == F::trap     ? Kind::trap
                                             : Kind::out_of_bounds;
  finding.file = fault.error.place.file;
  finding.line = fault.error.place.line;
  finding.at = {true, fault.thread, fault.block_index};
  finding.address = fault.nearest;
  finding.message = fault.error.message;
  finding.fix = fault.error.next_step;
  return finding;
}

// A result that is wrong without anything that explains it.
void add_result(Report& report, const std::string& file) {
  if (report.verified || report.explanation.empty()) return;
  Finding finding;
  const bool unwritten = report.explanation.find("was not written") != std::string::npos;
  finding.kind = unwritten ? Kind::unwritten_output : Kind::wrong_result;
  finding.file = file;
  finding.message = report.explanation;
  finding.fix = unwritten ? "let the grid cover every element" : "compare the kernel with what the problem asks for";
  for (Finding& known : report.findings)  // then it is no mere oddity
    if (known.kind == Kind::uninitialized_global) known.severity = Severity::error;
  report.findings.push_back(std::move(finding));
}

}  // namespace

Result<SharedRun> run_checked(const Job& job) {
  auto kernel = prepare(job.build, job.plan.device);
  if (!kernel) return kernel.error();
  CheckOptions options;
  options.instruction_budget = job.instruction_budget;
  options.compute_capability = job.plan.device.compute_capability;
  auto checked = check_blocks(**kernel, *job.instance, job.plan.launch, options);
  if (!checked) return checked.error();
  Execution execution{*kernel, {}, nullptr};
  if (never_ends(checked->fault)) {
    execution.emulation.outcome = std::move(checked->outcome);
    auto places = buffer_places(*job.instance);
    if (!places) return places.error();
    execution.emulation.buffers = *std::move(places);
    execution.emulation.blocks_in_grid = catalog::blocks_in_grid(job.plan.launch);
  } else {
    auto executed = execute(job, {.stop_at_uninitialised = false}, *kernel);
    if (!executed) return executed.error();
    execution = *std::move(executed);
  }
  const auto fault = execution.emulation.outcome.fault;
  auto run = tabulate(job, std::move(execution));
  if (!run) return run.error();
  auto whole = std::make_shared<Run>(**run);
  Report& report = whole->report;
  report.findings = std::move(checked->findings);
  report.checked_blocks = checked->blocks_checked;
  if (fault) {
    report.explanation = fault->error.message;
    const Finding finding = finding_of(*fault);
    const bool known = std::any_of(report.findings.begin(), report.findings.end(),
                                   [&](const Finding& other) { return same_place(other, finding); });
    if (!known && !checked->fault) report.findings.push_back(finding);
  } else {
    add_result(report, job.plan.spec.path);
  }
  report.verified = report.verified && !check::has_error(report.findings);
  return SharedRun(std::move(whole));
}

}  // namespace warplens::run
