// All checkers of one launch, as a watcher of the emulator: races, barriers, masks, values that nobody
// defined, accesses beside their array. Blocks have to be run one after the other (Launch::threads = 1), so
// that the findings are the same in every run.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/check/block_checker.hpp"

namespace warplens::check {

class Checker : public emulator::Watcher {
 public:
  // blocks: those to check, ascending; empty: all of them. most_steps: instructions of warps of all blocks,
  // behind which nothing is watched any more.
  Checker(LaunchFacts facts, std::vector<std::uint64_t> blocks, std::uint64_t most_steps = kMostStepsOfAll);
  ~Checker() override;
  emulator::BlockWatcher* begin_block(std::uint64_t block) override;
  void end_block(std::uint64_t block) override;

  // After the run. fault: of the run.
  Findings finish(const std::optional<emulator::Fault>& fault);
  // A block, or all of them together, took so long that what follows was not watched; the run's fault says nothing then.
  bool gave_up() const { return ending_.gave_up; }
  // True where nobody watches the launch any more, so that it need not go on. For Launch::cancel.
  const std::atomic<bool>& is_done() const { return is_done_; }
  std::uint64_t blocks_watched() const { return blocks_watched_; }  // to their ends
  std::uint64_t effort() const { return effort_; }

 private:
  Scene scene_;
  std::vector<std::uint64_t> blocks_;
  CodeTables tables_;
  GlobalArrays arrays_;
  Channels channels_;
  std::size_t cells_ = 0;  // of one block's shared memory
  Companions companions_;
  Ending ending_;
  std::uint64_t effort_ = 0, blocks_watched_ = 0;
  std::atomic<bool> is_done_ = false;
  std::map<std::uint64_t, std::unique_ptr<BlockChecker>> running_;
};

// The finding that a fault of the emulator is.
Finding finding_of(const emulator::Fault& fault, Scene& scene, const Ending& ending);

// Says in its message in which line of a header it stands, if in one; the line of the kernel file calls that.
void name_header(Finding& finding);

}  // namespace warplens::check
