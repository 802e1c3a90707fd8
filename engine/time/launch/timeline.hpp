// When each block of a grid runs, and on which multiprocessor (SM), as the model has it: waves, and the tail.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/time/predict_run.hpp"

namespace warplens::time {

struct BlockSpan {
  std::uint64_t block = 0;
  std::uint32_t sm = 0;
  double start = 0, end = 0;  // seconds since the first block began
};

struct GridTimeline {
  Prediction prediction;
  std::vector<BlockSpan> blocks;  // by start
  std::uint64_t together = 1;     // so many that follow each other on a place are one span: of large grids
  std::uint64_t grid = 0;         // blocks
  int sms = 1, held = 1;          // held: blocks on an SM at a time
  std::uint64_t full_waves = 0;   // of sms * held blocks
  std::uint64_t last_blocks = 0;  // of a last wave that is not full; 0: all are
  int last_sms = 0;               // that run some of those
  double idle_share = 0;  // of the time of all SMs, until the last block ends, in which they have none
  double first_idle = 1;  // share of the time after which an SM has no block any more
};

// A block goes to the place that is free first. Errors: as of predict(); a preview; cancelled.
Result<GridTimeline> timeline_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);

}  // namespace warplens::time
