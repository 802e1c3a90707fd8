#include "engine/sass/executed.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/catalog/launches.hpp"
#include "engine/time/machine_counts.hpp"

namespace warplens::sass {
namespace {

// Warps of the counted blocks.
double counted_warps(const run::Run& run) {
  const double of_a_block = static_cast<double>((catalog::threads_in_block(run.plan().launch) + 31) / 32);
  return of_a_block * static_cast<double>(run.emulation.outcome.counters.blocks_run);
}

// All that the emulator counted of instructions.
std::vector<double> known_counts(const emulator::Counters& counters) {
  std::vector<double> known;
  for (const auto& row : counters.instructions)
    if (row.executed > 0) known.push_back(static_cast<double>(row.executed));
  std::ranges::sort(known);
  return known;
}

// What was solved for is a part in ten thousand off: the emulator's count that is so near is meant, else so
// many turns of all warps.
double exact_count(double solved, const std::vector<double>& known, double warps) {
  constexpr double kNear = 1e-4;
  const auto is_near = [&](double count) { return std::abs(count - solved) <= kNear * count; };
  const auto above = std::ranges::lower_bound(known, solved);
  const auto first = above == known.begin() ? above : std::prev(above);
  const auto last = above == known.end() ? above : std::next(above);
  const auto nearest = std::min_element(
      first, last, [&](double a, double b) { return std::abs(a - solved) < std::abs(b - solved); });
  if (nearest != last && is_near(*nearest)) return *nearest;
  const double turns = warps * std::round(solved / warps);
  return turns > 0 && is_near(turns) ? turns : std::round(solved);
}

}  // namespace

bool has_machine_code(const run::Run& run) {
  const compile::Build& build = run.job->build;
  const int wanted = run.device().compute_capability;
  return !build.cubin.empty() && (build.arch == wanted || (build.arch < wanted && wanted >= 75));
}

int pc_of(const time::Instruction& instruction, const run::Run& run) {
  const auto line = static_cast<std::size_t>(instruction.ptx_line) - 1;
  return instruction.ptx_line > 0 && line < run.row_of_ptx_line.size() ? run.row_of_ptx_line[line] : -1;
}

std::vector<double> executions_of(const std::vector<time::Instruction>& code, const run::Run& run) {
  const auto& counters = run.emulation.outcome.counters;
  const double warps = counted_warps(run);
  if (!run.complete || warps == 0) return {};
  const auto flow =
      time::count_blocks(code, run.kernel->function(), counters, run.kernel->shared_accesses(), warps);
  if (flow.least_kept < time::kLeastKept) return {};
  const auto known = known_counts(counters);
  auto executed = time::executed_of(flow, code.size(), warps);
  for (double& count : executed) count = exact_count(count, known, warps);
  return executed;
}

ExecutedCode executed_code(const run::Run& run) {
  if (!has_machine_code(run)) return {};
  const compile::Build& build = run.job->build;
  auto code = time::read_instructions(build.cubin, build.kernel_name);
  if (!code) return {};
  auto executed = executions_of(*code, run);
  if (executed.empty()) return {};
  return {*std::move(code), std::move(executed)};
}

}  // namespace warplens::sass
