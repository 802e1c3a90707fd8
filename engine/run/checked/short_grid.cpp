#include "engine/run/checked/short_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/problem/input.hpp"
#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/checked/trials.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

EmulationOptions options_of_trial(const Job& job) {
  EmulationOptions options;
  options.threads = 0;
  options.stop_at_uninitialised = false;
  options.instruction_budget = std::min<std::uint64_t>(job.instruction_budget, 2'000'000);
  return options;
}

// Of the outputs that hold a mark at first, the first element that still does, and how many do not.
struct Written {
  std::size_t elements = 0;
  std::string missing;  // "c[30]"; empty: none is
};
std::optional<Written> written_by(const Job& job, const emulator::Kernel& kernel,
                                  const catalog::LaunchShape& launch) {
  EmulationOptions options = options_of_trial(job);
  options.keep_outputs = true;
  const auto ran = emulate(kernel, *job.instance, launch, options);
  if (!ran || ran->outcome.fault || !ran->ran_whole()) return std::nullopt;
  Written written;
  const auto& buffers = job.instance->buffers();
  for (std::size_t b = 0; b < buffers.size() && b < ran->outputs.size(); ++b) {
    if (!buffers[b].is_output || buffers[b].starts_filled || buffers[b].starts_at_zero) continue;
    const std::size_t bytes = problem::size_in_bytes(buffers[b].type);
    for (std::size_t e = 0; e < buffers[b].elements && (e + 1) * bytes <= ran->outputs[b].size(); ++e) {
      const bool is_missing = problem::is_unwritten(ran->outputs[b], e, bytes);
      written.elements += is_missing ? 0u : 1u;
      if (is_missing && written.missing.empty()) written.missing = fmt::format("{}[{}]", buffers[b].name, e);
    }
  }
  return written;
}

}  // namespace

bool is_right_with_more_blocks(const Job& job, const emulator::Kernel& kernel) {
  constexpr double kMostOperations = 6e8;
  if (job.instance->wants_reference() || job.instance->operations() > kMostOperations) return false;
  EmulationOptions options;
  options.threads = 0;
  options.stop_at_uninitialised = false;
  options.instruction_budget = std::min<std::uint64_t>(job.instruction_budget, 2'000'000);
  const auto& grid = job.plan.launch.grid;
  const auto is_right_with = [&](std::uint32_t across, std::uint32_t down) {
    catalog::LaunchShape launch = job.plan.launch;
    launch.grid[0] = across, launch.grid[1] = down;
    const auto ran = emulate(kernel, *job.instance, launch, options);
    return ran && !ran->outcome.fault && ran->verification.verified;
  };
  if (is_right_with(grid[0] + 1, grid[1]) || is_right_with(2 * grid[0], grid[1])) return true;
  if (grid[1] == 1 && job.plan.launch.block[1] == 1) return false;
  return is_right_with(grid[0], grid[1] + 1) || is_right_with(grid[0] + 1, grid[1] + 1) ||
         is_right_with(2 * grid[0], 2 * grid[1]);
}

std::optional<Finding> elements_of_more_blocks(const Job& job, const emulator::Kernel& kernel,
                                               const Run& run) {
  constexpr std::uint64_t kMostInstructions = 20'000'000;  // of all warps: a moment
  if (run.report.not_checked.empty() || check::has_error(run.report.findings) ||
      run.emulation.outcome.counters.warp_instructions > kMostInstructions)
    return std::nullopt;
  const auto now = written_by(job, kernel, job.plan.launch);
  if (!now || now->elements == 0 || now->missing.empty()) return std::nullopt;
  const auto& grid = job.plan.launch.grid;
  const bool is_plane = grid[1] > 1 || job.plan.launch.block[1] > 1;
  for (const auto& [across, down] : {std::pair{2u, 1u}, std::pair{1u, 2u}, std::pair{4u, 4u}}) {
    if (down > 1 && !is_plane) break;
    catalog::LaunchShape launch = job.plan.launch;
    launch.grid[0] = grid[0] * across, launch.grid[1] = grid[1] * down;
    const auto more = written_by(job, kernel, launch);
    if (!more || more->elements <= now->elements) continue;
    Finding finding;
    finding.kind = Kind::unwritten_output;
    finding.severity = Severity::warning;
    finding.file = job.plan.spec.path;
    finding.line = line_to_begin(kernel.function(), run.emulation.outcome.counters, true);
    finding.address = now->missing;
    finding.message = fmt::format("{} was not written, and more blocks write {} elements more", now->missing,
                                  grouped(more->elements - now->elements));
    finding.fix = "let the grid cover every element: along x and y as the kernel takes its indices from them";
    return finding;
  }
  return std::nullopt;
}

}  // namespace warplens::run
