// Records the accesses and barriers of chosen blocks while a kernel runs.
//
//   trace::Recorder recorder({.blocks = {0, 63}});
//   launch.observer = &recorder;
//   auto outcome = kernel.run(launch, memory);
//   const trace::Trace trace = recorder.finish(outcome->fault);
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::trace {

struct RecorderOptions {
  // Linear indices of the blocks to record; empty: those that `wants` names, or all where it is empty too.
  std::vector<std::uint64_t> blocks = {};
  std::function<bool(std::uint64_t)> wants = {};  // called from any thread
  // Bytes that the columns may take. Blocks are served in ascending order: the block that would pass the
  // budget keeps as many whole events as fit, later blocks keep none, and both say how many were dropped.
  std::uint64_t byte_budget = std::uint64_t{256} << 20;
};

class BlockRecorder;
struct RecordedBlock;

// One run; make another one for the next. Changes nothing in the run.
class Recorder : public emulator::Observer {
 public:
  explicit Recorder(RecorderOptions options = {});
  ~Recorder() override;

  emulator::BlockObserver* begin_block(std::uint64_t block) override;
  void end_block(std::uint64_t block) override;

  // After the run: what was recorded. fault: the one of the run's outcome; blocks behind it are left out,
  // since whether they ran is a matter of chance.
  Trace finish(const std::optional<emulator::Fault>& fault = std::nullopt);

 private:
  friend class BlockRecorder;
  bool wanted(std::uint64_t block) const;
  // Adds to the bytes of a block; false where the budget ends before its next event, or in a block before it.
  bool claim(RecordedBlock& block, std::uint64_t bytes);
  void find_cut();

  RecorderOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRecorder>> recorders_;
  std::vector<std::uint32_t> idle_;  // of recorders_
  std::map<std::uint64_t, std::unique_ptr<RecordedBlock>> blocks_;
  std::uint64_t bytes_ = 0;                // of the blocks up to cut_
  std::uint64_t cut_ = ~std::uint64_t{0};  // blocks behind this one will not fit
};

}  // namespace warplens::trace
