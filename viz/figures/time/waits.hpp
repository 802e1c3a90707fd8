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

using study::LadderTimes, study::SharedLadderTimes, study::StepTime;

TimeSaid waits_words(const run::Run& run, const LadderTimes& times);

// For the table of figures. Errors: not made yet, or not to be made.
Result<scene::Scene> draw_waits(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
// Rows "step,seconds,turns,sm_cycles_a_turn,warp_cycles_a_turn," and the shares of the warps' time.
Result<std::string> waits_table(const Subject& subject);

}  // namespace warplens::figures
