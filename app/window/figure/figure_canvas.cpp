#include "app/window/figure/figure_canvas.hpp"

#include <algorithm>
#include <cmath>

#include "app/window/model/judged_steps.hpp"
#include "engine/base/text.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/film.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/scene/ghost.hpp"

namespace warplens::app {
namespace {

constexpr double kBetweenFigures = 0.3;  // seconds

}  // namespace

std::optional<figures::Pick> FigureCanvas::pick(scene::Point at) const {
  if (key_.figure == nullptr || key_.figure->pick == nullptr || !scene_ || !key_.subject.is_recorded())
    return std::nullopt;
  return figures::pick(*key_.figure, key_.subject, *scene_, fonts(), at);
}

const time::SpeedMap* FigureCanvas::speed_map() const {
  const auto& map = key_.subject.known.speed_map;
  return map != nullptr && *map ? &**map : nullptr;
}

const time::Schedule* FigureCanvas::schedule() const {
  const auto& schedule = key_.subject.known.schedule;
  const bool is_shown =
      key_.figure != nullptr && key_.figure->has(figures::Trait::cycles) && scene_ && !is_message_;
  return is_shown && schedule != nullptr && *schedule ? &**schedule : nullptr;
}

std::optional<figures::TimeCursor> FigureCanvas::time_cursor(scene::Point at) const {
  if (schedule() == nullptr || !key_.subject.is_recorded()) return std::nullopt;
  return figures::time_cursor(key_.subject, scene_->size, fonts(), at);
}

const figures::Figure* FigureCanvas::instead(const Model& model) const {
  const figures::Subject& subject = key_.subject;
  if (!is_message_ || key_.figure == nullptr || !subject.is_recorded() || !figures::is_of_block(*key_.figure))
    return nullptr;
  const bool is_awaited = !figures::what_is_missing(*key_.figure, subject.known).empty();
  if (is_awaited || subject.run->fault) return nullptr;
  const auto has_something = [&](const figures::Figure& figure) {
    return &figure != key_.figure && figure.of == figures::Of::access &&
           figures::shown_access(figure, *subject.run, subject.place).has_value();
  };
  const figures::Figure* opening = figures::find_figure(opening_figure(model));
  if (opening != nullptr && has_something(*opening)) return opening;
  const auto found = std::ranges::find_if(figures::figures_of_a_run(), has_something);
  return found == figures::figures_of_a_run().end() ? nullptr : &*found;
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
    : painter_(painter), marks_(marks), study_(model.library(), model.wake()), steps_before_(study_) {}

scene::Scene FigureCanvas::draw_plot(const Key& key, const std::string& ladder,
                                     const PerformanceData& performance) {
  auto input = performance.input(*key.figure);
  const auto say = [&](const Error& error) {
    plot_.hide();
    return figures::message_scene(key.size, sentence(error.message), sentence(error.next_step), fonts());
  };
  if (!input) return say(input.error());
  std::erase_if(input->points, [&](const auto& point) { return key.asked_later.contains(point.id); });
  if (const auto why = figures::why_no_plot(*key.figure, *input)) return say(*why);
  // A headline says it.
  explain::Explanation words = figures::plot_words(*key.figure, *input);
  if (!figures::has_words(key.subject.look)) said_.explanation = std::exchange(words, {});
  plot_words_ = std::move(words), plot_size_ = key.size;
  plot_.show(figures::plot_of(*key.figure, *input, key.subject.look),
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
                        const Audience& wanted) {
  const figures::Figure* figure = figures::find_figure(model.state.view.figure);
  Audience audience = wanted;
  if (rect.width < 16 || rect.height < 16) return;
  const bool has_picture =
      figure != nullptr && (!figure->has(figures::Trait::panel) ||
                            (figures::is_on_stage(audience.look) && figure->has(figures::Trait::code)));
  if (!has_picture) figure = &figures::all_figures().front();
  const bool is_plot = figures::is_plot(*figure);
  if (!is_plot && model.run() == nullptr) return clear();  // nothing of an older run stays
  audience.look = figures::readable_look(*figure, wanted.look, {rect.width / scale, rect.height / scale});
  const scene::Size least = figures::least_size(*figure, audience.look);
  scale_ = std::min({scale, rect.width / least.width, rect.height / least.height});
  Key key{.figure = figure,
          .size = {std::max(std::floor(rect.width / scale_), least.width),
                   std::max(std::floor(rect.height / scale_), least.height)},
          .performance = is_plot ? performance.version() : 0,
          .asked_later = is_plot ? audience.asked_later : std::set<std::string>{}};
  is_deciding_ = false;
  if (is_plot) against_.reset();
  if (is_plot)
    key.subject.look = audience.look, key.subject.is_guessed = audience.is_guessing;
  else
    key.subject = subject_of(*figure, model, performance, clock, audience);
  key.subject.says_notice = audience.reads_notices;
  double seconds = 0;  // that the picture moves for
  const bool keeps = keeps_picture(key);
  outdated_since_ = keeps ? std::optional(outdated_since_.value_or(clock.now)) : std::nullopt;
  if (!keeps && (key != key_ || !scene_)) {
    seconds = motion_to(key, clock);
    leave_ghost(key, clock);
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
  if (scene_ && has_ghost(clock.now)) painter_.paint(*ghost_, theme, list, {rect.x, rect.y}, scale_);
}

// Where a slider moved what was there stays in outlines, so that a class sees what changed.
void FigureCanvas::leave_ghost(const Key& next, const Clock& clock) {
  constexpr double kSeconds = 2;
  const run::SharedRun &before = key_.subject.run, &now = next.subject.run;
  const bool is_same_kernel =
      before != nullptr && now != nullptr && before->plan().spec.id == now->plan().spec.id;
  const bool is_same_place =
      key_.figure == next.figure && key_.size == next.size && key_.subject.look == next.subject.look;
  if (!is_same_kernel || !is_same_place || !clock.motion) return ghost_.reset();
  if (before->plan().parameters == now->plan().parameters || !scene_ || is_message_) return;
  ghost_ = scene::ghost_of(*scene_);
  ghost_until_ = clock.now + kSeconds;
}

// How the step does against the one before it, where a headline says it. Returns whether it is to be said.
bool FigureCanvas::compare(const Model& model, const Audience& audience) {
  const bool is_own = model.run()->plan().spec.id == model.state.kernel;  // else that of the step before
  // What is said of that stays until the chosen one is there.
  if (is_own || key_.subject.run != model.shared_run()) against_.reset();
  const bool compares = !figures::has_words(audience.look) && !audience.is_guessing &&
                        !audience.will_guess(model.state.kernel) && is_own &&
                        explain::reserve(*model.run()).empty();
  if (!compares) return false;
  against_ = steps_before_.against_of(model, marks_);
  is_deciding_ = !model.run()->complete || marks_.is_comparing() || steps_before_.is_comparing();
  return true;
}

figures::Place FigureCanvas::place_in(const figures::Figure& figure, const Model& model) const {
  const bool is_of_warp = figures::is_of_block(figure) || figure.needs.has(study::Fact::rounding);
  // Until the new run is there, the old one stays at the access that was looked at.
  if (!model.is_current() && key_.subject.run == model.shared_run() && key_.figure == &figure)
    return key_.subject.place;
  figures::Place place = place_of(is_of_warp ? model.state.selection : Selection{}, model.trace_block());
  if (!figures::is_of_block(figure)) place.line = 0;
  return place;
}

figures::Subject FigureCanvas::subject_of(const figures::Figure& figure, const Model& model,
                                          const PerformanceData& performance, const Clock& clock,
                                          const Audience& audience) {
  using study::Fact;
  const bool compares = compare(model, audience);
  const bool is_own = model.run()->plan().spec.id == model.state.kernel,
             is_class = figures::is_on_stage(audience.look),
             will_guess = audience.will_guess(model.run()->plan().spec.id);
  const auto is_asked_later = [&](const catalog::KernelSpec* step) { return audience.will_guess(step->id); };
  const Shown shown{.run = model.shared_run(),
                    .place = place_in(figure, model),
                    .look = audience.look,
                    .is_guessed = audience.is_guessing,
                    .hides_speed = will_guess || (figure.needs.has(Fact::times) &&
                                                  std::ranges::any_of(model.steps(), is_asked_later)),
                    .by_hand = model.state.occupancy,
                    .recorded = &performance.recorded()};
  const bool is_code = is_class && figure.has(figures::Trait::code);
  study::Facts facts = figures::facts_for(figure, audience.look);
  // Beside an access the step before is spoken of by words_of().
  if (!figure.has(figures::Trait::per)) facts = facts - Fact::before;
  if (is_code) facts = facts | facts_of_code(model.state.view);
  if (audience.is_guessing)
    facts = facts - Fact::payoffs;
  else if (facts.has(Fact::payoffs) && is_own && !is_class && !will_guess)
    facts = facts | Fact::next;
  const study::StepOf ladder = step_of(model, shown.recorded);
  study::Question question = question_of(shown, &ladder);
  question.run = model.counted_run();  // nobody has to look for it again where the checkers found something
  if (!facts.has(Fact::speed_map)) study_.rest(Fact::speed_map);
  figures::Subject subject = figure_inputs(figure, shown, model.state.drawing, study_.of(question, facts));
  is_deciding_ |= compares && facts.has(Fact::payoffs) && study_.is_awaited(Fact::payoffs);
  if (figure.has(figures::Trait::axes)) subject.measured = performance.measured_sets(question.run);
  if (const auto* live = performance.live_of(model.run()->plan());
      figure.has(figures::Trait::samples) && live != nullptr && live->timing != nullptr)
    subject.timing = live->timing;
  if (figure.has(figures::Trait::per)) {
    if (clock.plays) phase_ = std::fmod(clock.now / figures::kPacketSeconds, 1);
    subject.flow.phase = phase_;
  }
  if (figures::is_of_access(figure) && !is_class && !audience.is_guessing)
    subject.step = steps_before_.words_of(model, marks_, !will_guess);
  if (is_code) {
    show_code(subject, model.state.view);
    subject.place.line = model.state.selection.line;
  }
  return subject;
}

// Where a slider moved, what the model has to find out first comes a moment later: the picture of before
// stays until then.
bool FigureCanvas::keeps_picture(const Key& next) const {
  const run::SharedRun &before = key_.subject.run, &now = next.subject.run;
  return scene_ && !is_message_ && key_.figure == next.figure && key_.size == next.size &&
         key_.subject.look == next.subject.look && before != nullptr && now != nullptr &&
         before->plan().spec.id == now->plan().spec.id && !now->fault &&
         !figures::what_is_missing(*next.figure, next.subject.known).empty();
}

// Of the same figure in the same room: within a kernel, or from one to another. Where only packets moved on,
// and where somebody zooms, the next picture is there at once.
double FigureCanvas::motion_to(const Key& next, const Clock& clock) const {
  if (!clock.motion || !scene_ || is_message_ || key_.figure == nullptr || key_.size != next.size) return 0;
  const run::SharedRun &from = key_.subject.run, &to = next.subject.run;
  // From figure to figure of one run its lanes, sectors and banks go to their places in the next.
  if (key_.figure != next.figure)
    return from != nullptr && from == to && key_.subject.look == next.subject.look ? kBetweenFigures : 0;
  Key same = next;
  same.subject.flow.phase = key_.subject.flow.phase;
  same.subject.known.speed_map = key_.subject.known.speed_map;  // it fills in while one watches
  same.subject.time = key_.subject.time;
  same.subject.known.next = key_.subject.known.next;  // it is found while one looks
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
