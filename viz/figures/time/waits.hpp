// The steps of a ladder by the time that each takes, as the model has it, and what its warps do meanwhile: who
// waits, for what and how long. Where the ladder says what a step does again and again, for one such turn.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/catalog/ladders.hpp"
#include "engine/explain/against.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/figures/time/time.hpp"

namespace warplens::figures {

struct StepTime {
  std::string kernel, number, title;
  time::Prediction predicted;
  int sms = 0;                               // of the device
  double recorded = 0;                       // seconds, of exactly this launch; 0: it was not measured
  std::optional<catalog::Turns> turns = {};  // of all threads

  // Cycles: of an SM for one turn of a warp, and of such a warp itself, which waits beside others. Without
  // turns 0.
  double sm_cycles() const;
  double warp_cycles() const;
};
// Those of one problem, at one size on one device.
struct LadderTimes {
  std::vector<StepTime> steps;
  std::string against = {};  // number of the step that the run's one is judged against; empty: there is none
};
using SharedLadderTimes = std::shared_ptr<const LadderTimes>;

// The run itself as it is, other steps of its problem with the values of their files. Steps that do not run
// are left out. recorded: on the run's device.
LadderTimes ladder_times(explain::Sides& sides, const run::Run& run,
                         std::span<const catalog::KernelSpec* const> ladder, const catalog::Ladder& taught,
                         const measured::RecordedSpeeds& recorded, const std::atomic<bool>& cancel);

TimeSaid waits_words(const run::Run& run, const LadderTimes& times);

// For the table of figures. Errors: not made yet, or not to be made.
Result<scene::Scene> draw_waits(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
// Rows "step,seconds,turns,sm_cycles_a_turn,warp_cycles_a_turn," and the shares of the warps' time.
Result<std::string> waits_table(const Subject& subject);

}  // namespace warplens::figures
