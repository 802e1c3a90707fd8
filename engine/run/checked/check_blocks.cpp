#include "engine/run/checked/check_blocks.hpp"

#include <algorithm>

#include "engine/check/checker.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/run/placing.hpp"

namespace warplens::run {
namespace {

using emulator::GlobalMemory, problem::Instance;

check::LaunchFacts facts_of(const emulator::Kernel& kernel, const Instance& instance,
                            const emulator::Launch& launch, GlobalMemory& memory,
                            const std::vector<emulator::Allocation>& places, const CheckOptions& options) {
  check::LaunchFacts facts;
  facts.kernel = &kernel;
  facts.memory = &memory;
  facts.grid = launch.grid;
  facts.block = launch.block;
  facts.shared_bytes = kernel.static_shared_bytes() + launch.dynamic_shared_bytes;
  facts.local_bytes = kernel.layout().local_bytes();
  facts.arguments = launch.arguments;
  facts.compute_capability = options.compute_capability;
  facts.ptx = options.ptx;
  for (std::size_t b = 0; b < places.size(); ++b) {
    const problem::Buffer& buffer = instance.buffers()[b];
    facts.buffers.push_back({places[b].address, places[b].size, buffer.name, buffer.is_output,
                             !buffer.is_output || buffer.starts_at_zero || buffer.starts_filled});
  }
  return facts;
}

// watched: the blocks to check, all others of `run` only run.
Result<Checked> watch(const emulator::Kernel& kernel, const Instance& instance,
                      const catalog::LaunchShape& shape, const CheckOptions& options,
                      std::vector<std::uint64_t> run, std::vector<std::uint64_t> watched) {
  auto memory = GlobalMemory::create(memory_for(instance));
  if (!memory) return memory.error();
  auto places = place_buffers(instance, *memory);
  if (!places) return places.error();
  auto on = launch_on(*places, kernel, instance, shape);
  if (!on) return on.error();
  emulator::Launch& launch = *on;
  launch.threads = 1;  // the same findings in every run
  launch.instruction_budget = options.instruction_budget;
  launch.stop_at_uninitialised = false;
  launch.blocks = std::move(run);
  check::Checker checker(facts_of(kernel, instance, launch, *memory, *places, options), watched);
  launch.watcher = &checker;
  auto outcome = kernel.run(launch, *memory);
  if (!outcome) return outcome.error();
  Checked checked;
  checked.fault = outcome->fault;
  checked.findings = checker.finish(outcome->fault);
  checked.outcome = *std::move(outcome);
  checked.gave_up = checker.gave_up();
  checked.effort = checker.effort();
  if (checked.gave_up) checked.fault.reset();
  checked.blocks_checked = watched.empty() ? catalog::blocks_in_grid(shape) : watched.size();
  return checked;
}

}  // namespace

Result<Checked> check_blocks(const emulator::Kernel& kernel, const Instance& instance,
                             const catalog::LaunchShape& shape, const CheckOptions& options) {
  const std::uint64_t blocks = catalog::blocks_in_grid(shape);
  const emulator::RunsTogether together = kernel.together();
  const auto first_blocks = emulator::with_companions({0}, together, shape.grid);
  std::uint64_t wanted = blocks;
  if (blocks > first_blocks.size()) {
    const auto first = watch(kernel, instance, shape, options, first_blocks, first_blocks);
    if (!first) return first.error();
    if (first->fault || first->gave_up) return first;
    wanted = first_blocks.size() *
             std::max<std::uint64_t>(options.most_effort / std::max<std::uint64_t>(first->effort, 1), 3);
  }
  if (wanted >= blocks) return watch(kernel, instance, shape, options, {}, {});
  const auto sample = emulator::with_companions(sample_blocks(blocks, wanted), together, shape.grid);
  const bool all_run = blocks_may_communicate(kernel.function());
  return watch(kernel, instance, shape, options, all_run ? std::vector<std::uint64_t>{} : sample, sample);
}

}  // namespace warplens::run
