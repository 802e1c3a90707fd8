// One multiprocessor (SM) at work, as the model of time schedules it: the warps over cycles, coloured by what
// they do or wait for, and how busy each unit is, of which the widest limits the kernel.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/time/schedule.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

// Made once for a run, which takes as long as running some of its blocks.
using SharedSchedule = std::shared_ptr<const Result<time::Schedule>>;
SharedSchedule schedule_of(const run::Run& run);

// Warps have the ids "warp:N", what they do before an instruction that of its source line, "line:N".
scene::Scene time_scene(const run::Run& run, const time::Schedule& schedule, const Subject& subject,
                        scene::Size size, const scene::TextMeasure& measure);

// What limits the kernel, why, and what would have to change; and the question that it answers.
struct TimeSaid {
  explain::Explanation explanation = {};
  std::string question = {}, unit = {};
};
TimeSaid time_words(const run::Run& run, const time::Schedule& schedule);

// Rows "warp,part,block,from_cycle,to_cycle,what,line".
std::string time_csv(const time::Schedule& schedule);

// Why the model of time has nothing of a subject, whatever it is asked; nothing where it may have.
std::optional<Error> why_no_time(const Subject& subject);

// For the table of figures. Errors: no schedule.
Result<scene::Scene> draw_time(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
Result<std::string> time_table(const Subject& subject);

}  // namespace warplens::figures
