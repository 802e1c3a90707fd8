// Some cycles of one SM as the model schedules them: what each warp does in each, beside the prediction that
// follows from it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/time/predict_run.hpp"

namespace warplens::time {

struct Schedule {
  Prediction prediction;
  std::vector<WarpHistory> warps;  // what they do in these cycles; by thread block, then warp
  double from = 0, to = 0;         // cycles since the SM began
  std::vector<int> lines;          // of the source, of each instruction; 0: not known
  int warps_per_block = 1;
};

// From the middle of what was scheduled, for so long that a warp executes some dozens of instructions.
// Errors: as of predict(); a preview.
Result<Schedule> schedule_of(const run::Run& run);

}  // namespace warplens::time
