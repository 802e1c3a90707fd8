// All multiprocessors (SMs) of a device over the time of one launch, as the model of time has them: which
// block runs where and when, in waves, of which the last leaves SMs idle.
#pragma once

#include <memory>
#include <string>

#include "engine/time/launch/timeline.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/figures/performance/timeline.hpp"
#include "viz/figures/time/time.hpp"

namespace warplens::figures {

using study::SharedTimeline, study::timeline_of;
// The blocks of a launch in their slots, by the model.
Timeline blocks_in_slots(const run::Run& run, const time::GridTimeline& model);

// "The last wave fills 24 of 132 SMs; SMs are idle for 14 % of their time".
TimeSaid timeline_words(const time::GridTimeline& timeline);

// For the table of figures. Errors: not made yet, or not to be made.
Result<scene::Scene> draw_timeline(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure);
// Rows "block,blocks,sm,start_us,end_us".
Result<std::string> timeline_table(const Subject& subject);

}  // namespace warplens::figures
