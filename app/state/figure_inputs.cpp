#include "app/state/figure_inputs.hpp"

#include <utility>

#include "viz/figures/access/access.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/timing.hpp"
#include "viz/figures/time/time.hpp"

namespace warplens::app {

figures::AccessOptions access_options(const Drawing& drawing) {
  return {.colors = figures::colors_named(drawing.colors).value_or(figures::AccessOptions::Colors::classic),
          .whole = drawing.whole,
          .all_arrays = drawing.all_arrays};
}

figures::FlowOptions flow_options(const Drawing& drawing) {
  return {.per = figures::per_named(drawing.per).value_or(figures::FlowOptions::Per::operation)};
}

figures::MapOptions map_options(const Drawing& drawing) {
  return figures::map_options(drawing.over, drawing.others).value_or(figures::MapOptions{});
}

figures::TimeOptions time_options(const Drawing& drawing) {
  return figures::time_options(drawing.cycles, drawing.cursor).value_or(figures::TimeOptions{});
}
void set_time_options(Drawing& drawing, const figures::TimeOptions& options) {
  drawing.cycles = figures::cycles_text(options), drawing.cursor = figures::cursor_text(options);
}

figures::Place place_of(const Selection& selection, std::size_t trace_block) {
  return {.block = trace_block,
          .warp = selection.warp,
          .lane = selection.lane,
          .access = selection.shown_step(),
          .line = selection.line};
}

namespace {

// The counter beside the code, as the picture of the source calls its columns; empty: none.
std::string column_of(Counter counter) {
  switch (counter) {
    case Counter::sectors:
      return "sectors";
    case Counter::wavefronts:
      return "wavefronts";
    case Counter::executed:
      return std::string(figures::kExecutedColumn);
    case Counter::lanes:
      return "lanes";
    case Counter::time:
      return std::string(figures::kTimeColumn);
    case Counter::none:
      break;
  }
  return "";
}

const measured::RecordedSpeed* recorded_launch(const Shown& shown) {
  if (shown.recorded == nullptr || shown.run == nullptr) return nullptr;
  const run::Plan& plan = shown.run->plan();
  return shown.recorded->find(plan.spec.id, shown.run->source, plan.sizes, &plan.parameters);
}

double recorded_seconds(const Shown& shown) {
  const auto* found = recorded_launch(shown);
  return found == nullptr ? 0 : found->seconds;
}

// What was measured here comes before what was recorded.
measured::SharedTiming timing_of(const Shown& shown) {
  if (shown.run == nullptr) return nullptr;
  if (auto own = figures::timing_of(shown.run->report)) return own;
  const auto* found = recorded_launch(shown);
  return found == nullptr ? nullptr : found->timing;
}

}  // namespace

figures::Subject figure_inputs(const figures::Figure& figure, const Shown& shown, const Drawing& drawing,
                               study::Known known) {
  figures::Subject subject{.run = shown.run,
                           .place = shown.place,
                           .known = std::move(known),
                           .access = access_options(drawing),
                           .flow = flow_options(drawing),
                           .by_hand = {shown.by_hand.threads, shown.by_hand.registers, shown.by_hand.shared},
                           .curve = drawing.curve,
                           .look = shown.look,
                           .hides_speed = shown.hides_speed,
                           .is_guessed = shown.is_guessed};
  if (figure.has(figures::Trait::axes)) subject.map = map_options(drawing);
  if (figure.has(figures::Trait::element)) subject.element = drawing.element;
  if (figure.has(figures::Trait::cycles)) subject.time = time_options(drawing);
  if (shown.hides_speed) return subject;
  if (figure.has(figures::Trait::cycles) || figure.has(figures::Trait::per))
    subject.recorded_seconds = recorded_seconds(shown);
  if (figure.has(figures::Trait::samples)) subject.timing = timing_of(shown);
  return subject;
}

study::Question question_of(const Shown& shown, const study::StepOf* ladder) {
  return {.run = shown.run, .block = shown.place.block, .warp = shown.place.warp, .ladder = ladder};
}

void show_code(figures::Subject& subject, const View& view) {
  subject.counter = column_of(view.counter);
  subject.with_ptx = view.code == CodeView::both;
}

study::Facts facts_of_code(const View& view) {
  return view.counter == Counter::time ? study::Facts(study::Fact::schedule) : study::Facts();
}

}  // namespace warplens::app
