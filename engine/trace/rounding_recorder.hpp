// Follows what the threads of one warp round away, as a watcher of the emulator.
//
//   trace::RoundingRecorder recorder(block, warp);
//   launch.watcher = &recorder, launch.blocks = {block}, launch.threads = 1;
//   const auto outcome = kernel.run(launch, memory);
//   const trace::WarpRounding found = recorder.finish();
#pragma once

#include <memory>

#include "engine/emulator/watcher.hpp"
#include "engine/trace/roundings.hpp"

namespace warplens::trace {

class RoundingRecorder : public emulator::Watcher {
 public:
  RoundingRecorder(std::uint64_t block, std::uint32_t warp);
  ~RoundingRecorder() override;
  emulator::BlockWatcher* begin_block(std::uint64_t block) override;
  WarpRounding finish();

 private:
  std::uint64_t block_;
  std::uint32_t warp_;
  std::unique_ptr<emulator::BlockWatcher> follower_;  // of that block
};

}  // namespace warplens::trace
