#include "app/window/figure/figure_canvas.hpp"

#include <algorithm>
#include <cmath>

#include "app/state/code_columns.hpp"
#include "app/window/model/judged_steps.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/film.hpp"
#include "viz/figures/parts/parts.hpp"

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

// Whether a step builds on another one, by way of those between them.
bool builds_on(const Model& model, std::size_t step, std::size_t other) {
  while (const auto before = judged_against(model, step)) {
    if (*before == other) return true;
    if (*before >= step) return false;  // a list that goes round
    step = *before;
  }
  return false;
}

// The steps that come next and build on the run's one, as it is planned. A box speaks of the first of them
// that mends what it names: the first few are enough.
std::vector<explain::LaterStep> later_steps(const Model& model) {
  constexpr std::size_t most = 4;
  const auto steps = model.steps();
  const std::size_t here = step_index(model);
  const run::Plan& plan = model.run()->plan();
  std::vector<explain::LaterStep> later;
  for (std::size_t step = here + 1; step < steps.size() && later.size() < most; ++step)
    if (builds_on(model, step, here))
      later.push_back({std::to_string(step + 1),
                       {.spec = *steps[step],
                        .parameters = {},
                        .sizes = plan.sizes,
                        .device = plan.device,
                        .threads = 1,
                        .background = true,
                        .nearest = true}});
  return later;
}

}  // namespace

std::optional<figures::Pick> FigureCanvas::pick(scene::Point at) const {
  if (key_.figure == nullptr || key_.figure->pick == nullptr || !scene_ || !key_.subject.is_recorded())
    return std::nullopt;
  return figures::pick(*key_.figure, key_.subject, *scene_, fonts(), at);
}

const time::SpeedMap* FigureCanvas::speed_map() const {
  const auto& map = key_.subject.speed_map;
  return map != nullptr && *map ? &**map : nullptr;
}

const time::Schedule* FigureCanvas::schedule() const {
  const auto& schedule = key_.subject.schedule;
  const bool is_shown = key_.figure != nullptr && key_.figure->takes_cycles && scene_ && !is_message_;
  return is_shown && schedule != nullptr && *schedule ? &**schedule : nullptr;
}

std::optional<figures::TimeCursor> FigureCanvas::time_cursor(scene::Point at) const {
  if (schedule() == nullptr || !key_.subject.is_recorded()) return std::nullopt;
  return figures::time_cursor(key_.subject, scene_->size, fonts(), at);
}

std::vector<scene::Rect> FigureCanvas::places(std::span<const figures::CellId> cells) const {
  if (key_.figure == nullptr || !scene_ || is_message_ || !key_.subject.is_recorded()) return {};
  return figures::places(*key_.figure, key_.subject, *scene_, fonts(), cells);
}

FigureSnapshot FigureCanvas::snapshot() const {
  return {.name = key_.figure == nullptr ? "" : std::string(key_.figure->id),
          .figure = key_.figure,
          .subject = key_.subject,
          .size = key_.size,
          .plot = plot_.is_shown() ? std::optional(plot_.plot()) : std::nullopt,
          .shown = scene_,
          .words = plot_.is_shown() ? words_of_plot() : explain::Explanation{}};
}

const explain::Explanation& FigureCanvas::words_of_plot() const {
  return key_.subject.look == figures::Look::page ? said_.explanation : plot_words_;
}

std::optional<scene::Scene> FigureCanvas::alone() const {
  if (!scene_ || key_.figure == nullptr || figures::has_words(key_.subject.look) || is_message_)
    return scene_;
  if (plot_.is_shown()) {
    scene::Scene plot =
        plot::plot_scene(plot_.plot(), figures::room_above(words_of_plot(), plot_size_, fonts()), fonts());
    figures::add_words_below(plot, words_of_plot(), plot_size_, fonts());
    return plot;
  }
  if (!key_.subject.is_recorded()) return scene_;
  figures::Subject subject = key_.subject;
  subject.look = figures::Look::file;
  return figures::draw_or_say(*key_.figure, subject, key_.size, fonts());
}

FigureCanvas::FigureCanvas(const Model& model, ScenePainter& painter, const LadderMarks& marks)
    : painter_(painter),
      marks_(marks),
      orders_(of_run(model.of_runs(), &OfRuns::orders)),
      payoffs_(of_run(model.of_runs(), &OfRuns::payoffs)),
      schedules_(of_run(model.of_runs(), &OfRuns::schedules)),
      over_warps_(of_run(model.of_runs(), &OfRuns::over_warps)),
      timelines_(of_run(model.of_runs(), &OfRuns::timelines)),
      step_figures_(model.of_runs()) {}

scene::Scene FigureCanvas::draw_plot(const Key& key, const std::string& ladder,
                                     const PerformanceData& performance) {
  auto input = performance.input(*key.figure);
  if (!input) {
    plot_.hide();
    return figures::message_scene(key.size, sentence(input.error().message),
                                  sentence(input.error().next_step), fonts());
  }
  // A headline says it.
  explain::Explanation words = figures::plot_words(*key.figure, *input);
  if (!figures::has_words(key.subject.look)) said_.explanation = std::exchange(words, {});
  plot_words_ = std::move(words), plot_size_ = key.size;
  plot_.show(figures::plot_of(*key.figure, *input, key.subject.for_class()),
             std::string(key.figure->id) + " " + ladder, figures::room_above(plot_words_, key.size, fonts()),
             fonts());
  return plot_scene();
}

scene::Scene FigureCanvas::plot_scene() const {
  scene::Scene scene = plot_.draw(fonts());
  figures::add_words_below(scene, plot_words_, plot_size_, fonts());
  return scene;
}

std::optional<scene::Scene> FigureCanvas::make(const Key& key, const Model& model,
                                               const PerformanceData& performance) {
  said_ = {};
  if (key.figure->plot != nullptr) return draw_plot(key, model.ladder(), performance);
  plot_.hide();
  if (!key.subject.is_recorded()) return std::nullopt;
  if (!figures::has_words(key.subject.look)) said_ = figures::what_it_says(*key.figure, key.subject);
  return figures::draw_or_say(*key.figure, key.subject, key.size, fonts());
}

void FigureCanvas::clear() {
  scene_.reset();
  terms_.clear();
  painted_.reset();
  tween_.clear();
  plot_.hide();
  key_ = {};
}

void FigureCanvas::draw(const Model& model, const PerformanceData& performance, const theme::Theme& theme,
                        ImDrawList& list, const scene::Rect& rect, double scale, const Clock& clock,
                        const Audience& audience) {
  const figures::Figure* figure = figures::find_figure(model.state.view.figure);
  if (rect.width < 16 || rect.height < 16) return;
  const bool has_picture = figure != nullptr && (!figure->has_panel ||
                                                 (figures::is_on_stage(audience.look) && figure->takes_code));
  if (!has_picture) figure = &figures::all_figures().front();
  const bool is_plot = figure->plot != nullptr;
  if (!is_plot && model.run() == nullptr) return clear();  // nothing of an older run stays
  const scene::Size least = figures::least_size(*figure, audience.look);
  scale_ = std::min({scale, rect.width / least.width, rect.height / least.height});
  Key key{.figure = figure,
          .size = {std::max(std::floor(rect.width / scale_), least.width),
                   std::max(std::floor(rect.height / scale_), least.height)},
          .performance = is_plot ? performance.version() : 0};
  is_deciding_ = false;
  if (is_plot) against_.reset();
  if (!is_plot) {
    const bool is_own = model.run()->plan().spec.id == model.state.kernel;  // else that of the step before
    // What is said of that stays until the chosen one is there.
    if (is_own || key_.subject.run != model.shared_run()) against_.reset();
    const bool may_compare = is_own && explain::reserve(*model.run()).empty();
    const bool has_headline = !figures::has_words(audience.look),
               is_class = figures::is_on_stage(audience.look);
    const bool compares = has_headline && !audience.is_guessing && !audience.will_guess && may_compare;
    if (compares) {
      against_ = steps_before_.against_of(model, marks_);
      is_deciding_ = !model.run()->complete || marks_.is_comparing() || steps_before_.is_comparing();
    }
    const OccupancyState& by_hand = model.state.occupancy;
    const bool shows_access = figures::is_of_block(*figure);
    key.subject = {.run = model.shared_run(),
                   .place = place_of(shows_access ? model.state.selection : Selection{}, model.trace_block()),
                   .access = access_options(model.state.drawing),
                   .by_hand = {by_hand.threads, by_hand.registers, by_hand.shared},
                   .curve = model.state.drawing.curve};
    // Until the new run is there, the old one stays at the access that was looked at.
    if (!model.is_current() && key_.subject.run == key.subject.run) key.subject.place = key_.subject.place;
    if (figure->reads == figures::Reads::access && !is_class && !audience.is_guessing)
      key.subject.step = steps_before_.words_of(model, marks_, !audience.will_guess);
    const bool is_explained =
        figure->reads == figures::Reads::access || figure->reads == figures::Reads::block ||
        figure->reads == figures::Reads::run || figure->reads == figures::Reads::occupancy;
    if (is_explained && !audience.is_guessing) key.subject.payoffs = payoffs_.of(key.subject.run);
    is_deciding_ |= compares && payoffs_.busy_seconds().has_value();
    if (is_explained && is_own && !is_class && !audience.is_guessing && !audience.will_guess)
      key.subject.next = step_figures_.next(model.counted_run(), [&] { return later_steps(model); });
    if (figure->reads == figures::Reads::run) {
      if (clock.plays) phase_ = std::fmod(clock.now / figures::kPacketSeconds, 1);
      key.subject.flow = flow_options(model.state.drawing);
      key.subject.flow.phase = phase_;
      key.subject.before = steps_before_.of(model);
      key.subject.scale = steps_before_.scale_of(model);
      if (const auto* recorded = performance.recorded_now(); recorded != nullptr && model.is_current())
        key.subject.recorded_seconds = recorded->seconds;
    }
    if (shows_access && is_class && figure->reads == figures::Reads::access)
      key.subject.access.order = orders_.of(model.counted_run());
    if (figure->reads == figures::Reads::block)
      key.subject.banks = bank_maps_.of(model.counted_run(), model.trace_block());
    if (figure->reads == figures::Reads::schedule) {
      key.subject.schedule = schedules_.of(model.counted_run());
      key.subject.time = time_options(model.state.drawing);
      if (const auto* recorded = performance.recorded_now(); recorded != nullptr && model.is_current())
        key.subject.recorded_seconds = recorded->seconds;
    }
    if (figure->reads == figures::Reads::warps) key.subject.over_warps = over_warps_.of(model.counted_run());
    if (figure->reads == figures::Reads::map) {
      key.subject.speed_map = speed_maps_.of(model.counted_run(), model.runner());
      key.subject.measured = speed_maps_.measured(model.counted_run(), performance);
      key.subject.map = map_options(model.state.drawing);
    } else {
      speed_maps_.rest();
    }
    if (figure->reads == figures::Reads::timeline) key.subject.timeline = timelines_.of(model.counted_run());
    if (figure->reads == figures::Reads::steps)
      key.subject.times = step_figures_.times(key.subject.run, model.steps(),
                                              model.taught().of(model.ladder()), performance.recorded());
    if (figure->reads == figures::Reads::rounding) {
      key.subject.place = place_of(model.state.selection, model.trace_block());
      key.subject.place.line = 0;
      key.subject.rounding = step_figures_.rounding(
          key.subject.run, model.steps(), is_own ? judged_against(model, step_index(model)) : std::nullopt,
          key.subject.place);
    }
  }
  key.subject.look = audience.look, key.subject.is_guessed = audience.is_guessing;
  key.subject.says_notice = audience.reads_notices;
  if (figures::is_on_stage(audience.look) && figure->takes_code) {
    key.subject.counter = column_of(model.state.view.counter);
    key.subject.with_ptx = model.state.view.code == CodeView::both;
    key.subject.place.line = model.state.selection.line;
    if (model.state.view.counter == Counter::time) key.subject.schedule = schedules_.of(model.counted_run());
  }
  double seconds = 0;  // that the picture moves for
  const bool keeps = keeps_picture(key);
  outdated_since_ = keeps ? std::optional(outdated_since_.value_or(clock.now)) : std::nullopt;
  if (!keeps && (key != key_ || !scene_)) {
    seconds = motion_to(key, clock);
    scene_ = make(key, model, performance);
    key_ = key;
    // A few words need not be small where the figure would be.
    is_message_ = scene_ && figures::is_message(*scene_);
    key.size = {std::floor(rect.width / scale), std::floor(rect.height / scale)};
    if (is_message_ && scale_ < scale) scene_ = make(key, model, performance);
    terms_.clear();
    if (scene_ && !is_plot && !is_message_) terms_ = figures::terms_in(*scene_, fonts());
    move(clock, is_message_ ? 0 : seconds);
  } else if (redraw_ && plot_.is_shown()) {
    scene_ = plot_scene();
    move(clock, 0);
  }
  redraw_ = false;
  if (is_message_) scale_ = scale;
  painted_ = scene_ && tween_.is_moving(clock.now) ? std::optional(tween_.at(clock.now)) : std::nullopt;
  if (scene_) painter_.paint(*painted(), theme, list, {rect.x, rect.y}, scale_);
}

// Where a slider moved, what the model has to find out first comes a moment later: the picture of before
// stays until then.
bool FigureCanvas::keeps_picture(const Key& next) const {
  const auto is_there = [&] {
    const figures::Subject& subject = next.subject;
    switch (next.figure->reads) {
      case figures::Reads::schedule:
        return subject.schedule != nullptr;
      case figures::Reads::warps:
        return subject.over_warps != nullptr;
      case figures::Reads::timeline:
        return subject.timeline != nullptr;
      case figures::Reads::steps:
        return subject.times != nullptr;
      case figures::Reads::rounding:
        return subject.rounding != nullptr;
      default:
        return true;
    }
  };
  const run::SharedRun &before = key_.subject.run, &now = next.subject.run;
  return scene_ && !is_message_ && key_.figure == next.figure && key_.size == next.size &&
         key_.subject.look == next.subject.look && before != nullptr && now != nullptr &&
         before->plan().spec.id == now->plan().spec.id && !now->fault && !is_there();
}

// Of the same figure in the same room: within a kernel, or from one to another. Where only packets moved on,
// and where somebody zooms, the next picture is there at once.
double FigureCanvas::motion_to(const Key& next, const Clock& clock) const {
  if (!clock.motion || !scene_ || is_message_ || key_.figure != next.figure || key_.size != next.size)
    return 0;
  const run::SharedRun &from = key_.subject.run, &to = next.subject.run;
  Key same = next;
  same.subject.flow.phase = key_.subject.flow.phase;
  same.subject.speed_map = key_.subject.speed_map;  // it fills in while one watches
  same.subject.time = key_.subject.time;
  same.subject.next = key_.subject.next;  // it is found while one looks
  if (same == key_) return 0;
  if (from == nullptr || to == nullptr) return scene::kWithinKernel;
  if (from->plan().spec.id != to->plan().spec.id) return scene::kBetweenKernels;
  return clock.plays ? figures::access_motion(clock.speed) : scene::kWithinKernel;
}

void FigureCanvas::move(const Clock& clock, double seconds) {
  if (!scene_) return tween_.clear();
  if (clock.enters && seconds == 0 && !is_message_) {
    tween_.show(scene::Scene(scene_->size, scene_->background), clock.now, 0);
    seconds = scene::kBetweenKernels;
  }
  tween_.show(*scene_, clock.now, seconds);
}

}  // namespace warplens::app
