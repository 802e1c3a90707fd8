#include "engine/run/checked/certain.hpp"

#include <algorithm>

#include "engine/problem/file_launch.hpp"
#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/checked/odd_sizes.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Findings, check::Kind, check::Severity;

constexpr std::uint64_t kEffortOfTrial = 500'000, kInstructionsOfTrial = 500'000;
constexpr double kOperationsOfTrial = 6e8;

bool is_between_threads(const Finding& finding) {
  return finding.kind == Kind::race_global || finding.kind == Kind::race_warp;
}

bool is_beside(const Finding& finding) { return finding.kind == Kind::out_of_bounds; }

// Volatile accesses and atomics are how threads wait for each other: what orders them may be more than is
// seen.
bool is_of_plain_accesses(const Finding& finding, const ptx::Function& function,
                          const std::vector<int>& lines) {
  for (std::size_t pc = 0; pc < function.code.size() && pc < lines.size(); ++pc) {
    if (lines[pc] != finding.line && lines[pc] != finding.other_line) continue;
    const ptx::Instruction& i = function.code[pc];
    if (i.is_volatile || i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red) return false;
  }
  return true;
}

bool is_same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.line == b.line && a.other_line == b.other_line &&
         (!is_beside(a) || a.is_before == b.is_before);
}

// What the checkers find with other sizes or another launch; nothing where that is not possible.
std::optional<Findings> findings_of(const Job& job, const emulator::Kernel& kernel,
                                    const catalog::Values& sizes,
                                    const std::optional<catalog::LaunchShape>& launch) {
  const auto plan = run::plan(job.plan.spec, job.plan.parameters, sizes, job.plan.device);
  if (!plan) return std::nullopt;
  const auto instance = plan->problem->make(sizes, problem::Pattern::random, 1, buffer_memory_limit());
  if (!instance || (*instance)->operations() > kOperationsOfTrial) return std::nullopt;
  auto checked = check_blocks(kernel, **instance, launch.value_or(plan->launch),
                              {.most_effort = kEffortOfTrial,
                               .instruction_budget = kInstructionsOfTrial,
                               .compute_capability = plan->device.compute_capability,
                               .ptx = job.build.ptx,
                               .parameters = parameter_names(job.plan.spec)});
  if (!checked) return std::nullopt;
  return std::move(checked->findings);
}

std::vector<catalog::Values> sizes_to_try(const Trials& trials) {
  std::vector<catalog::Values> list;
  const auto add = [&](const catalog::Values& sizes) {
    if (sizes != trials.job().plan.sizes && std::find(list.begin(), list.end(), sizes) == list.end())
      list.push_back(sizes);
  };
  add(small_sizes(trials, 1));
  if (trials.free() > 1)
    for (const bool descending : {false, true}) add(apart_sizes(trials, 1, descending));
  return list;
}

std::vector<catalog::LaunchShape> smaller_blocks(const catalog::LaunchShape& launch) {
  std::vector<catalog::LaunchShape> list;
  for (const std::uint32_t by : {2u, 4u}) {
    catalog::LaunchShape smaller = launch;
    for (std::uint32_t& edge : smaller.block) edge = std::max(edge / by, 1u);
    list.push_back(smaller);
  }
  return list;
}

class Certainty {
 public:
  Certainty(const Job& job, const emulator::Kernel& kernel, const GuessedParts& guessed, const Run& run)
      : job_(job), kernel_(kernel), guessed_(guessed), run_(run), trials_(job, kernel, tried_) {}

  bool of(const Finding& finding) {
    if (is_beside(finding) && finding.memory == check::Memory::shared)
      return !guessed_.arguments && !guessed_.shared && guessed_.block && is_with_every_block(finding);
    if (guessed_.arguments || guessed_.block || guessed_.grid || guessed_.shared) return false;
    if (is_between_threads(finding))
      return is_of_plain_accesses(finding, kernel_.function(), run_.kernel_lines) &&
             (guessed_.has_sizes_of_file || is_at_every_size(finding));
    // Before the first element of an array: no array is longer there.
    return is_beside(finding) && finding.is_before && are_whole() && is_at_every_size(finding);
  }

 private:
  // Pointers that the file passes as they were allocated.
  bool are_whole() const {
    const auto launch = problem::file_launch(job_.plan.spec);
    return launch &&
           std::all_of(launch->is_whole.begin(), launch->is_whole.end(), [](bool is) { return is; });
  }

  static bool has(const std::optional<Findings>& findings, const Finding& finding) {
    return std::any_of(findings->begin(), findings->end(),
                       [&](const Finding& other) { return is_same(other, finding); });
  }

  bool is_at_every_size(const Finding& finding) {
    bool is_seen = false;
    for (const catalog::Values& sizes : sizes_to_try(trials_)) {
      const auto found = findings_of(job_, kernel_, sizes, std::nullopt);
      if (!found) continue;
      if (!has(found, finding)) return false;
      is_seen = true;
    }
    return is_seen;
  }

  bool is_with_every_block(const Finding& finding) {
    for (const catalog::LaunchShape& launch : smaller_blocks(job_.plan.launch)) {
      const auto found = findings_of(job_, kernel_, job_.plan.sizes, launch);
      if (!found || !has(found, finding)) return false;
    }
    return true;
  }

  const Job& job_;
  const emulator::Kernel& kernel_;
  const GuessedParts& guessed_;
  const Run& run_;
  Tried tried_;
  Trials trials_;
};

}  // namespace

void mark_certain(const Run& run, const Circumstances& found, Report& report) {
  const Job& job = *run.job;
  if (job.plan.spec.guessed.empty()) return;
  const GuessedParts guessed = guessed_parts(job.plan.spec.guessed);
  if (found.reads_whole_numbers && guessed.data_are_indices) return;
  Certainty certainty(job, *run.kernel, guessed, run);
  for (Finding& finding : report.findings)
    if (finding.severity == Severity::error && !finding.is_certain)
      finding.is_certain = certainty.of(finding);
}

}  // namespace warplens::run
