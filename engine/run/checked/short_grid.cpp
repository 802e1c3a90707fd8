#include "engine/run/checked/short_grid.hpp"

#include <algorithm>

namespace warplens::run {

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
    return ran && !ran->outcome.fault && !ran->verification.is_wrong();
  };
  if (is_right_with(grid[0] + 1, grid[1]) || is_right_with(2 * grid[0], grid[1])) return true;
  if (grid[1] == 1 && job.plan.launch.block[1] == 1) return false;
  return is_right_with(grid[0], grid[1] + 1) || is_right_with(grid[0] + 1, grid[1] + 1) ||
         is_right_with(2 * grid[0], 2 * grid[1]);
}

}  // namespace warplens::run
