// The cycles of one SM as the model schedules them: what each warp does in each, beside the prediction that
// follows from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/time/predict_run.hpp"

namespace warplens::time {

struct Schedule {
  Prediction prediction;
  std::vector<WarpHistory> warps;  // by thread block, then warp; from when the SM began
  double end = 0;                  // cycles
  // What to look at first: what is most like the whole launch, for so long that a warp executes some dozens of
  // instructions.
  double from = 0, to = 0;
  std::vector<Instruction> code;
  int warps_per_block = 1;
  double scheduled = 1;  // see SmHistory
};

// Of a warp, those that reach into these cycles.
std::span<const Stretch> stretches_in(const WarpHistory& warp, double from, double to);

// Errors: as of predict(); a preview; cancelled.
Result<Schedule> schedule_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);

}  // namespace warplens::time
