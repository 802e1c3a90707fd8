// What the performance figures plot of a ladder: for each step and size a measurement where one is recorded,
// a count of the emulator where one is there, and the words that say where each number comes from.
// `warplens export` and the window make the same points.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/against.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/count.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/performance/performance.hpp"

namespace warplens::figures {

// Under a curve over sizes of recorded steps.
inline constexpr std::string_view kSizeCurveCaption =
    "Recorded, with the kernel files' parameters where measured, else the quickest";

// Which steps of a ladder, at which sizes, on which device.
struct LadderQuery {
  std::vector<const catalog::KernelSpec*> steps;
  std::vector<catalog::Values> sizes;
  const device::Device& device;
  const measured::RecordedSpeeds& recorded;
  catalog::Values values = {};  // of parameters, that the user chose; each step takes those that it has
  std::string chosen = {};      // the id of the step on screen, and what it is set to; other steps have
  catalog::Values set = {};     // the values of their files
};

// One step at one size, with the values that were measured: a measurement and a count stand side by side only
// for the same ones.
struct PlannedPoint {
  run::Plan plan;                                     // without a launch
  std::size_t number = 0;                             // of the step in the query, from 1
  const measured::RecordedSpeed* recorded = nullptr;  // null where nothing is recorded
  const measured::RecordedSpeed* nearest = nullptr;   // at its size, where values that were chosen are not
};
// By size, then by step. Values that the file does not take at a size give way to its own. Precondition: the
// problems of all steps are known.
std::vector<PlannedPoint> planned_points(const LadderQuery& query);

// What is known of a point: its count, whose parameters are the nearest that the device takes; or why the
// device takes none; or neither yet.
struct Counted {
  const run::StepCount* count = nullptr;
  std::string refused = {};
  double l2_bytes = 0;                     // as PerformancePoint::l2_bytes
  double seconds = 0;                      // of one launch, by the model of time; 0: not known
  explain::Explanation limit = {};         // as PerformancePoint::limit
  std::optional<MeasuredSpeed> live = {};  // on the GPU of this machine
  std::string live_unit = {};
};
using CountOf = std::function<Result<Counted>(const PlannedPoint&)>;

// With what the model of time knows of L2 and of tensor cores. Errors: as device::roofline().
Result<device::Roofline> roofline_of(const device::Device& device, bool multiply_adds);

// A reason of at most so many bytes stands in the row of a step that the device refuses, a longer one in the
// caption.
inline constexpr std::size_t kShortReason = 40;
// Points, unit and caption; steps that the device refuses have no numbers. Errors: as of
// count_of; no step that the device runs.
Result<PerformanceInput> performance_input(const LadderQuery& query, const CountOf& count_of);

// "PAD = 0, TILE = 16", or "5 other values" where that is long.
std::string few_words(const catalog::Values& before, const catalog::Values& after);

// Both captions, one after the other; either may be empty.
std::string with_caption(const std::string& first, const std::string& second);

// A result with its formula, parameters, device, and its share of cuBLAS: a line each.
MeasuredSpeed measured_speed(const measured::RecordedSpeeds& all, const measured::RecordedSpeed& one);
// What the model of time says, of a count's work.
MeasuredSpeed predicted_speed(const run::StepCount& count, double seconds);
// The point of one step: a measurement (null: none) and a count (null: none yet).
PerformancePoint performance_point(const run::Plan& plan, const measured::RecordedSpeeds& all,
                                   const measured::RecordedSpeed* recorded, const run::StepCount* count);

}  // namespace warplens::figures
