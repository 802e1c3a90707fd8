#include "engine/run/derived/placed.hpp"

#include <algorithm>
#include <utility>

#include "engine/run/emulate.hpp"
#include "engine/run/grid/whole_grid.hpp"
#include "engine/run/placing.hpp"

namespace warplens::run {

Result<Placed> Placed::of(SharedInstance instance) {
  auto memory = emulator::GlobalMemory::create(memory_for(*instance));
  if (!memory) return memory.error();
  Placed placed(std::move(instance), *std::move(memory));
  auto places = allocate_buffers(*placed.instance_, placed.memory_);
  if (!places) return places.error();
  placed.places_ = *std::move(places);
  return placed;
}

bool Placed::take_arguments(SharedInstance instance) {
  const auto is_same = [](const problem::Buffer& one, const problem::Buffer& other) {
    return one.name == other.name && one.type == other.type && one.elements == other.elements;
  };
  if (!std::ranges::equal(instance_->buffers(), instance->buffers(), is_same)) return false;
  arguments_ = std::move(instance);
  return true;
}

void Placed::fill_for(const BlockKinds& kinds, const std::atomic<bool>* cancel) {
  if (is_filled_) return restore();
  if (kinds.why_not.empty()) return;
  fill_buffers(*instance_, places_, memory_, cancel);
  is_filled_ = cancel == nullptr || !*cancel;
}

// What kernels add to. Other outputs hold nothing of use before a run.
void Placed::restore() {
  for (std::size_t b = 0; b < places_.size(); ++b) {
    if (!instance_->buffers()[b].starts_at_zero) continue;
    const auto initial = instance_->initial(b);
    std::copy(initial.begin(), initial.end(), memory_.bytes(places_[b]).begin());
  }
}

Result<emulator::Launch> Placed::launch_of(const emulator::Kernel& kernel, const catalog::LaunchShape& shape,
                                           const Options& options) const {
  auto launch = launch_on(places_, kernel, *arguments_, shape);
  if (!launch) return launch;
  launch->blocks = options.blocks;
  launch->threads = options.threads;
  launch->instruction_budget = options.instruction_budget;
  launch->observer = options.observer;
  launch->watcher = options.watcher;
  if (options.watcher != nullptr) launch->stop_at_uninitialised = false;
  launch->cancel = options.cancel;
  return launch;
}

Result<emulator::Outcome> Placed::run(const emulator::Kernel& kernel, const catalog::LaunchShape& shape,
                                      const Options& options) {
  const auto launch = launch_of(kernel, shape, options);
  if (!launch) return launch.error();
  if (options.data_count) fill_for(block_kinds(kernel, *launch), options.cancel);
  return kernel.run(*launch, memory_);
}

Result<std::optional<emulator::Outcome>> Placed::run_kinds(const emulator::Kernel& kernel,
                                                           const catalog::LaunchShape& shape,
                                                           std::uint64_t most_blocks,
                                                           const Options& options) {
  using Found = std::optional<emulator::Outcome>;
  if (blocks_may_communicate(kernel.function())) return Found();
  auto launch = launch_of(kernel, shape, options);
  if (!launch) return launch.error();
  const BlockKinds kinds = block_kinds(kernel, *launch);
  fill_for(kinds, options.cancel);
  auto whole = count_whole_grid(kernel, *std::move(launch), kinds, most_blocks, memory_);
  if (!whole) return whole.error();
  return *whole ? Found(std::move((*whole)->outcome)) : Found();
}

}  // namespace warplens::run
