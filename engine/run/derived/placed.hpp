// The data of a problem in emulated memory, for callers that count many launches on it: it is filled once,
// when a kernel counts by it, and nothing is verified.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/run/grid/block_kinds.hpp"
#include "engine/run/instances.hpp"

namespace warplens::run {

class Placed {
 public:
  // Error: no memory.
  static Result<Placed> of(SharedInstance instance);

  struct Options {
    emulator::Observer* observer = nullptr;
    emulator::Watcher* watcher = nullptr;
    std::vector<std::uint64_t> blocks = {};  // linear indices, ascending; empty: all
    int threads = 0;                         // of the host; 0: one a core
    const std::atomic<bool>* cancel = nullptr;
    std::uint64_t instruction_budget = 20'000'000;  // warp instructions of one warp
    bool data_count = true;  // false: whatever memory holds, the observer sees the same
  };
  emulator::GlobalMemory& memory() { return memory_; }
  // Runs from now on with the arguments of another instance, such as its tensor maps, on the data that is here.
  // False: its buffers are others, and nothing has changed.
  bool take_arguments(SharedInstance instance);
  // Errors: as emulate(). A fault of the kernel is none: it is in the outcome.
  Result<emulator::Outcome> run(const emulator::Kernel& kernel, const catalog::LaunchShape& shape,
                                const Options& options);
  // The counts of the grid from those blocks that the others repeat, see grid/whole_grid.hpp. Nothing where
  // more than most_blocks would have to run, or where blocks do not repeat each other.
  Result<std::optional<emulator::Outcome>> run_kinds(const emulator::Kernel& kernel,
                                                     const catalog::LaunchShape& shape,
                                                     std::uint64_t most_blocks, const Options& options);

 private:
  Placed(SharedInstance instance, emulator::GlobalMemory memory)
      : instance_(std::move(instance)), arguments_(instance_), memory_(std::move(memory)) {}
  Result<emulator::Launch> launch_of(const emulator::Kernel& kernel, const catalog::LaunchShape& shape,
                                     const Options& options) const;
  // kinds: of the launch. Where neither branches nor addresses come from the data, what it is does not count.
  void fill_for(const BlockKinds& kinds, const std::atomic<bool>* cancel);
  void restore();

  SharedInstance instance_;   // whose data is here
  SharedInstance arguments_;  // who says the arguments
  emulator::GlobalMemory memory_;
  std::vector<emulator::Allocation> places_;
  bool is_filled_ = false;
};

}  // namespace warplens::run
