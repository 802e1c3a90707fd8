// One multiprocessor (SM) at work, as the model of time schedules it: the warps over cycles, coloured by what
// they do or wait for, and how busy each unit is, of which the widest limits the kernel.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/explain/payoff/payoff.hpp"
#include "engine/study/found.hpp"
#include "engine/time/launch/schedule.hpp"
#include "viz/figures/access/pick.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

using study::schedule_of, study::SharedSchedule;

// Warps have the ids "warp:N", what they do before an instruction that of its source line, "line:N".
scene::Scene time_scene(const run::Run& run, const time::Schedule& schedule, const Subject& subject,
                        scene::Size size, const scene::TextMeasure& measure);

// "4096,4352" and "4219,5" (cycle and warp), or empty, as states have them. Nothing where they are not that.
std::optional<TimeOptions> time_options(std::string_view cycles, std::string_view cursor);
std::string cycles_text(const TimeOptions& options);
std::string cursor_text(const TimeOptions& options);
// The cycles that are shown: those asked for as far as they were scheduled, at least a few.
struct Cycles {
  double from = 0, to = 0;
  double number() const { return to - from; }
};
Cycles shown_cycles(const time::Schedule& schedule, const TimeOptions& options);
// Nearer by this factor, with one cycle where it is; and later by so many cycles.
TimeOptions zoomed(const time::Schedule& schedule, TimeOptions options, double around, double factor);
TimeOptions moved(const time::Schedule& schedule, TimeOptions options, double by);
// The cursor to another instruction of its warp, or to another warp; it is shown, and comes from the middle
// of what is shown where there was none.
TimeOptions cursor_moved(const time::Schedule& schedule, TimeOptions options, int instructions, int warps);

// A place in the chart of the warps. Points are of the scene that was drawn in so much room.
struct TimeCursor {
  double cycle = 0;
  std::size_t warp = 0;
  const time::Stretch* stretch = nullptr;  // what the warp does there; null: there is none
  Rect chart = {}, row = {};
  double x = 0;
};
// Nothing outside of the chart.
std::optional<TimeCursor> time_cursor(const Subject& subject, scene::Size size,
                                      const scene::TextMeasure& measure, Point point);
// Warp, what it does or waits for and how long, the instruction and its line.
std::string cursor_words(const run::Run& run, const time::Schedule& schedule, const TimeCursor& cursor);
// Its line over the chart, with the cycle.
void add_cursor(Group& group, const TimeCursor& cursor, const scene::TextMeasure& measure);
std::optional<Pick> pick_in_time(const Subject& subject, const scene::Scene& shown, scene::Size size,
                                 const scene::TextMeasure& measure, Point point);

// What limits the kernel, why, and what would have to change; and the question that it answers. payoffs: null where what mends it is
// not known; then more warps are no cure.
struct TimeSaid {
  explain::Explanation explanation = {};
  std::string question = {}, unit = {};
};
TimeSaid time_words(const run::Job& job, const time::Prediction& prediction, const explain::Payoffs* payoffs);
// least_bytes: that any kernel of the problem must move.
TimeSaid time_words(const device::Device& device, double least_bytes, const time::Prediction& prediction,
                    const explain::Payoffs* payoffs);

// Rows "warp,part,block,from_cycle,to_cycle,what,line" of the cycles that are shown.
std::string time_csv(const time::Schedule& schedule, const TimeOptions& options = {});

// Why the model of time can say nothing of a subject, whatever it is asked; empty if it may.
std::optional<Error> why_no_time(const Subject& subject);

// For the table of figures. Errors: no schedule.
Result<scene::Scene> draw_time(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
Result<std::string> time_table(const Subject& subject);

}  // namespace warplens::figures
