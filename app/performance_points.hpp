// From measurements and counts to the points of the performance figures, with the words that say where each
// number comes from. `warplens export` and the window draw the same points.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/recorded_speeds.hpp"
#include "app/run_job.hpp"
#include "engine/session/emulate.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::app {

// Under a curve over sizes of recorded steps.
inline constexpr std::string_view size_curve_caption =
    "Recorded, with the kernel files' parameters where measured, else the quickest";

// What the emulator counted of one kernel, for the whole problem or a sample of its blocks.
struct StepCount {
  double work = 0;           // operations, or the least bytes of a problem without operations
  double bytes = 0;          // 32 for each sector of global memory that was asked for
  std::uint64_t blocks = 0;  // in the grid
  std::string unit;          // of the speed: "GFLOP/s" or "GB/s"
  std::string words;         // parameters and sample
  catalog::Values parameters = {};
};
StepCount step_count(const RunPlan& plan, const problem::Instance& instance,
                     const session::Emulation& emulation);

// A step that a chip does not run as it was asked for.
struct Departure {
  std::size_t number = 0;    // in its ladder, from 1
  std::string values = {};   // "TILE = 20": the nearest that the chip takes, where it takes any
  std::string refused = {};  // why it takes none
};
// What a figure says of them: "Nearest values that GTX 280 takes: 3 TILE = 20. Left out: ..."; empty for
// none.
std::string departure_words(const std::vector<Departure>& departures, const std::string& chip);

// "BM = 128, BN = 64"
std::string value_words(const catalog::Values& values);

// A result with its formula, parameters, chip, and its share of cuBLAS: a line each.
figures::MeasuredSpeed measured_speed(const RecordedSpeeds& all, const RecordedSpeed& one);

// The point of one step: a measurement (null: none) and a count (null: none yet).
figures::PerformancePoint performance_point(const RunPlan& plan, const RecordedSpeeds& all,
                                            const RecordedSpeed* recorded, const StepCount* count);

// Why no point has a speed, where grids smaller than the chip are the reason.
std::optional<Error> why_too_small(const figures::PerformanceInput& input);

// The unit that the speeds of a problem have.
std::string unit_of(const problem::Instance& instance);

}  // namespace warplens::app
