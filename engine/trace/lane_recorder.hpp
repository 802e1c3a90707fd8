// Records which lanes of chosen blocks execute which instruction, as a watcher of the emulator.
//
//   trace::LaneRecorder recorder;
//   launch.watcher = &recorder, launch.blocks = {0, 63}, launch.threads = 1;
//   const auto outcome = kernel.run(launch, memory);
//   const auto lanes = recorder.finish(outcome->fault);  // null where the kernel stopped
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/trace/lanes.hpp"

namespace warplens::trace {

// Of all blocks that run, one after the other or, in a cluster, together. A block that does more than a picture shows is cut short,
// which looks like a fault to the run.
class LaneRecorder : public emulator::Watcher {
 public:
  LaneRecorder();
  ~LaneRecorder() override;
  emulator::BlockWatcher* begin_block(std::uint64_t block) override;
  std::shared_ptr<const LaneTrace> finish(const std::optional<emulator::Fault>& fault);

 private:
  // Each of them has its place while others begin.
  std::vector<std::unique_ptr<BlockLanes>> blocks_;
  std::vector<std::unique_ptr<emulator::BlockWatcher>> watchers_;
};

}  // namespace warplens::trace
