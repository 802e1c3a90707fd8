#include "engine/run/checked/certain.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "engine/problem/file_launch.hpp"
#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/checked/odd_sizes.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Findings, check::Kind, check::Severity;

constexpr std::uint64_t kEffortOfTrial = 500'000, kInstructionsOfTrial = 500'000;
constexpr double kOperationsOfTrial = 6e8;
constexpr std::int64_t kLargestUnitTried = 256;  // of sizes

bool is_between_threads(const Finding& finding) {
  return finding.kind == Kind::race_global || finding.kind == Kind::race_warp;
}

bool is_beside(const Finding& finding) { return finding.kind == Kind::out_of_bounds; }

// What orders volatile data between blocks, or warps of different ones.
bool has_fence(const ptx::Function& function) {
  return std::ranges::any_of(function.code, [](const ptx::Instruction& i) {
    return i.opcode == ptx::Opcode::membar || i.opcode == ptx::Opcode::fence;
  });
}

// Volatile accesses and atomics are how threads wait for each other: what orders them may be more than is
// seen. Between blocks nothing does where the kernel has no fence at all: what an atomic or a flag says is there
// may come later.
bool is_of_plain_accesses(const Finding& finding, const ptx::Function& function,
                          const std::vector<int>& lines) {
  const bool is_between_blocks =
      finding.at.known && finding.other.known && finding.at.block != finding.other.block;
  const bool is_without_order = is_between_blocks && !has_fence(function);
  for (std::size_t pc = 0; pc < function.code.size() && pc < lines.size(); ++pc) {
    if (lines[pc] != finding.line && lines[pc] != finding.other_line) continue;
    const ptx::Instruction& i = function.code[pc];
    if (i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red) return false;
    if (i.is_volatile && !is_without_order) return false;
  }
  return true;
}

bool is_same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.line == b.line && a.other_line == b.other_line &&
         (!is_beside(a) || (a.is_before == b.is_before && a.memory == b.memory));
}

// What the checkers find with other sizes or another launch; empty if that is not possible.
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

// Multiples of `unit`.
std::vector<catalog::Values> sizes_to_try(const Trials& trials, std::int64_t unit) {
  std::vector<catalog::Values> list;
  const auto add = [&](const catalog::Values& sizes) {
    if (sizes != trials.job().plan.sizes && std::find(list.begin(), list.end(), sizes) == list.end())
      list.push_back(sizes);
  };
  add(small_sizes(trials, unit));
  if (trials.free() > 1)
    for (const bool descending : {false, true}) add(apart_sizes(trials, unit, descending));
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

std::uint32_t threads_of_block(const catalog::LaunchShape& launch) {
  return launch.block[0] * launch.block[1] * launch.block[2];
}

// Blocks as kernels are written for, of as many dimensions, that the device takes: what it refuses is free of
// errors only because it does not run. Shared memory that was guessed for the threads of a block is that of the
// other block's.
std::vector<catalog::LaunchShape> usual_blocks(const Plan& plan, bool shared_is_guessed) {
  static constexpr std::array<std::uint32_t, 3> kLines[] = {
      {32, 1, 1},  {64, 1, 1},  {96, 1, 1},  {128, 1, 1}, {192, 1, 1},
      {256, 1, 1}, {384, 1, 1}, {512, 1, 1}, {768, 1, 1}, {1024, 1, 1}};
  static constexpr std::array<std::uint32_t, 3> kPlanes[] = {{8, 8, 1},  {16, 8, 1},  {16, 16, 1}, {32, 4, 1},
                                                             {32, 8, 1}, {32, 16, 1}, {32, 32, 1}};
  const catalog::LaunchShape& launch = plan.launch;
  const bool is_line = launch.block[1] == 1 && launch.block[2] == 1;
  using Edges = std::span<const std::array<std::uint32_t, 3>>;
  const std::uint32_t own = threads_of_block(launch);
  std::vector<catalog::LaunchShape> list;
  for (const auto& edge : is_line ? Edges(kLines) : Edges(kPlanes)) {
    catalog::LaunchShape other = launch;
    other.block = edge;
    if (shared_is_guessed)
      other.dynamic_shared_bytes = launch.dynamic_shared_bytes / own * threads_of_block(other);
    const bool is_taken = std::cmp_less_equal(threads_of_block(other), plan.device.max_threads_per_block);
    if (is_taken && other.block != launch.block) list.push_back(other);
  }
  return list;
}

// The same launch with more shared memory, where nobody said how much there is.
catalog::LaunchShape with_more_shared(catalog::LaunchShape launch) {
  launch.dynamic_shared_bytes *= 4;
  return launch;
}

// What is wrong between threads of a block, whichever block it is.
bool is_within_block(const Finding& finding) {
  switch (finding.kind) {
    case Kind::race_shared:
    case Kind::race_warp:
    case Kind::race_async:
    case Kind::divergent_barrier:
    case Kind::mask_without_caller:
      return true;
    default:
      return false;
  }
}

class Certainty {
 public:
  Certainty(const Job& job, const emulator::Kernel& kernel, const GuessedParts& guessed, const Run& run)
      : job_(job), kernel_(kernel), guessed_(guessed), run_(run), trials_(job, kernel, tried_) {}

  bool of(const Finding& finding) {
    if (guessed_.arguments) return false;
    if (is_beside(finding) && finding.memory == check::Memory::shared)
      return !guessed_.shared && (!guessed_.block || is_with_smaller_blocks(finding)) &&
             holds_sizes(finding) && (guessed_.has_sizes_of_file || is_at_tiny_sizes(finding));
    if (is_between_threads(finding) && !is_of_plain_accesses(finding, kernel_.function(), run_.kernel_lines))
      return false;
    if (is_within_block(finding))
      return (!guessed_.block || no_block_cures(finding)) &&
             (!guessed_.shared || is_with_more_shared(finding)) && holds_sizes(finding);
    if (guessed_.block || guessed_.grid || guessed_.shared) return false;
    if (is_between_threads(finding)) return holds_sizes(finding);
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
    return findings && std::any_of(findings->begin(), findings->end(),
                                   [&](const Finding& other) { return is_same(other, finding); });
  }

  // What the kernel is not told it does not depend on.
  bool holds_sizes(const Finding& finding) {
    return guessed_.has_sizes_of_file || trials_.free() == 0 || is_at_every_size(finding);
  }

  bool is_at_every_size(const Finding& finding) {
    if (!at_sizes_) at_sizes_ = findings_at_sizes();
    return !at_sizes_->empty() && std::all_of(at_sizes_->begin(), at_sizes_->end(),
                                              [&](const Findings& found) { return has(found, finding); });
  }

  // A size may be the distance of rows in an array whose length the file says.
  bool is_at_tiny_sizes(const Finding& finding) const {
    constexpr std::int64_t kTiny = 33;
    catalog::Values sizes = job_.plan.sizes;
    for (auto& [name, value] : sizes)
      if (!trials_.fixed().contains(name)) value = std::min(value, kTiny);
    const auto found = findings_of(job_, kernel_, sizes, std::nullopt);
    return !found || has(found, finding);
  }

  // With the smallest unit that the kernel file takes.
  std::vector<Findings> findings_at_sizes() const {
    std::vector<Findings> list;
    for (std::int64_t unit = 1; unit <= kLargestUnitTried && list.empty(); unit *= 2)
      for (const catalog::Values& sizes : sizes_to_try(trials_, unit))
        if (auto found = findings_of(job_, kernel_, sizes, std::nullopt)) list.push_back(*std::move(found));
    return list;
  }

  bool is_with_smaller_blocks(const Finding& finding) const {
    for (const catalog::LaunchShape& launch : smaller_blocks(job_.plan.launch))
      if (!has(findings_of(job_, kernel_, job_.plan.sizes, launch), finding)) return false;
    return true;
  }

  // It is found with another block too, and no block is free of errors.
  bool no_block_cures(const Finding& finding) {
    if (!with_blocks_) {
      with_blocks_.emplace();
      for (const catalog::LaunchShape& launch : usual_blocks(job_.plan, guessed_.shared))
        with_blocks_->push_back(findings_of(job_, kernel_, job_.plan.sizes, launch).value_or(Findings()));
    }
    const auto is_wrong = [](const Findings& found) { return check::has_error(found); };
    return std::all_of(with_blocks_->begin(), with_blocks_->end(), is_wrong) &&
           std::any_of(with_blocks_->begin(), with_blocks_->end(),
                       [&](const Findings& found) { return has(found, finding); });
  }

  bool is_with_more_shared(const Finding& finding) const {
    return has(findings_of(job_, kernel_, job_.plan.sizes, with_more_shared(job_.plan.launch)), finding);
  }

  const Job& job_;
  const emulator::Kernel& kernel_;
  const GuessedParts& guessed_;
  const Run& run_;
  Tried tried_;
  Trials trials_;
  // What is found at other sizes, and with other blocks; made when first asked for.
  std::optional<std::vector<Findings>> at_sizes_, with_blocks_;
};

}  // namespace

void mark_certain(const Run& run, const Circumstances& found, Report& report) {
  const Job& job = *run.job;
  if (job.plan.spec.guessed.empty()) return;
  const GuessedParts guessed = guessed_parts(job.plan.spec.guessed);
  Certainty certainty(job, *run.kernel, guessed, run);
  for (Finding& finding : report.findings)
    if (finding.severity == Severity::error && !finding.is_certain && !found.has_guessed_address(finding) &&
        !(guessed.data_are_indices && (found.may_be_of_data(finding) || found.is_searched(finding))))
      finding.is_certain = certainty.of(finding);
}

}  // namespace warplens::run
