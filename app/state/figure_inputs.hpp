// What a figure is drawn from: the one place that puts it together, for the window and its comparison, for files, hand-outs and pages.
//
//   const study::Known known = library.now(question_of(shown, &ladder), figures::facts_for(figure, look));    // or Inquiry::of()
//   const figures::Subject subject = figure_inputs(figure, shown, state.drawing, known);
#pragma once

#include "app/state/state.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/study/study.hpp"
#include "viz/figures/figure.hpp"

namespace warplens::app {

// How a drawing wants the access figure, and whose traffic it wants in the data flow. What is not understood is left out.
figures::AccessOptions access_options(const Drawing& drawing);
figures::FlowOptions flow_options(const Drawing& drawing);
figures::MapOptions map_options(const Drawing& drawing);  // of the speed map
figures::TimeOptions time_options(const Drawing& drawing);
void set_time_options(Drawing& drawing, const figures::TimeOptions& options);
// The place of a selection in a run whose trace has its block at this position.
figures::Place place_of(const Selection& selection, std::size_t trace_block);

// What is shown of which run, and to whom.
struct Shown {
  run::SharedRun run = {};  // as it is judged; null: none
  figures::Place place = {};
  figures::Look look = figures::Look::file;
  bool is_guessed = false;      // a question waits for its answer, or it is a film
  bool hides_speed = false;     // a lesson asks for it later
  OccupancyState by_hand = {};  // numbers instead of the kernel's
  // What was recorded on the run's device; null: its time is not said.
  const measured::RecordedSpeeds* recorded = nullptr;
};
figures::Subject figure_inputs(const figures::Figure& figure, const Shown& shown, const Drawing& drawing,
                               study::Known known);

// What is asked of the run that is shown: of its place's block and warp. ladder: null where nothing is known of it.
study::Question question_of(const Shown& shown, const study::StepOf* ladder);

// Of the source on stage: the one counter, whether the PTX stands below it, as a view has it; and what that needs besides.
void show_code(figures::Subject& subject, const View& view);
study::Facts facts_of_code(const View& view);

}  // namespace warplens::app
