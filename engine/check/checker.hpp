// All checkers of one launch, as a watcher of the emulator: races, barriers, masks, values that nobody
// defined, accesses beside their array. Blocks have to be run one after the other (Launch::threads = 1), so
// that the findings are the same in every run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/check/block_checker.hpp"

namespace warplens::check {

class Checker : public emulator::Watcher {
 public:
  // blocks: those to check, ascending; empty: all of them.
  Checker(LaunchFacts facts, std::vector<std::uint64_t> blocks);
  ~Checker() override;
  emulator::BlockWatcher* begin_block(std::uint64_t block) override;
  void end_block(std::uint64_t block) override;

  // After the run. fault: of the run.
  Findings finish(const std::optional<emulator::Fault>& fault);
  // A block was so long that it was not watched to its end; the run's fault says nothing then.
  bool gave_up() const { return ending_.gave_up; }
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
  std::uint64_t effort_ = 0;
  std::map<std::uint64_t, std::unique_ptr<BlockChecker>> running_;
};

// The finding that a fault of the emulator is.
Finding finding_of(const emulator::Fault& fault, Scene& scene, const Ending& ending);

// Says in its message in which line of a header it stands, if in one; the line of the kernel file calls that.
void name_header(Finding& finding);

}  // namespace warplens::check
