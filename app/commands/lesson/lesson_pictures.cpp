#include "app/commands/lesson/lesson_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/commands/export_sources.hpp"
#include "app/state/compare_choice.hpp"
#include "app/state/figure_inputs.hpp"
#include "engine/run/checked/seen.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/performance/transfers.hpp"
#include "viz/figures/slide.hpp"
#include "viz/figures/warp/warp_access_view.hpp"

namespace warplens::app {
namespace {

constexpr double kGap = 16, kQuestionSize = 28;

double bottom_of(const scene::Group& group) {
  double bottom = 0;
  for (const scene::Item& item : group.items) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape))
      bottom = std::max(bottom, inner->origin.y + bottom_of(*inner));
    if (const auto* rect = std::get_if<scene::RectShape>(&item.shape))
      bottom = std::max(bottom, rect->rect.bottom());
  }
  return bottom;
}

// Source of a few lines leaves no empty page below it.
Result<scene::Scene> without_rest(Result<scene::Scene> code) {
  if (code) code->size.height = std::min(code->size.height, std::ceil(bottom_of(code->root)) + 1);
  return code;
}

// Draws it and adds what it says.
Result<scene::Scene> draw_said(const LessonDesk& desk, const figures::Figure& figure,
                               const figures::Subject& subject, scene::Size size,
                               scene::PictureWords& words) {
  const scene::PictureWords own = figures::picture_words(figure, subject);
  words.title += (words.title.empty() ? "" : "; ") + own.title;
  words.description += (words.description.empty() ? "" : " ") + own.description;
  return figures::draw(figure, subject, size, desk.fonts());
}

Result<scene::Scene> draw_run(LessonDesk& desk, const State& state, const figures::Figure& figure,
                              const lesson::Subject& at, scene::Size size, scene::PictureWords& words) {
  const run::Run& run = *at.run;
  if (run.report.is_wrong())
    return Error{fmt::format("the result of {} is wrong: {}", run.plan().spec.id, run.report.explanation),
                 "correct the kernel; a wrong one is not drawn"};
  // Code is in type that is large enough on a page, and with the one counter that the stop shows.
  const bool is_code = figure.has(figures::Trait::code);
  const CodeView view = state.view.code;
  const bool lists = is_code && (view == CodeView::sass || view == CodeView::source_sass);
  const Shown shown{.run = run::judged(at.run),
                    .place = {.block = at.place.block,
                              .warp = at.place.warp,
                              .lane = state.selection.lane,
                              .access = at.place.access,
                              .line = state.selection.line},
                    .look = is_code ? figures::Look::stage : figures::Look::file,
                    .by_hand = state.occupancy};
  // The steps beside it are what the text is about.
  study::Facts facts =
      figures::facts_for(figure, shown.look) - study::Facts{study::Fact::before, study::Fact::scale};
  if (is_code) facts = facts | facts_of_code(state.view);
  if (lists) facts = facts | study::Fact::listing;
  study::Question question = question_of(shown, nullptr);
  question.run = at.run;
  figures::Subject subject = figure_inputs(figure, shown, state.drawing, desk.library().now(question, facts));
  if (is_code) show_code(subject, state.view);
  auto scene = draw_said(desk, figure, subject, size, words);
  return is_code && !lists ? without_rest(std::move(scene)) : scene;
}

// What a lesson has not met yet is not drawn, and the size that it speaks of is marked.
std::shared_ptr<const figures::PerformanceInput> as_drawn(figures::PerformanceInput input,
                                                          const Drawing& drawing) {
  if (drawing.steps > 0)
    std::erase_if(input.points,
                  [&](const auto& point) { return point.number > static_cast<std::size_t>(drawing.steps); });
  if (drawing.mark > 0) input.run_size = static_cast<double>(drawing.mark), input.marks_run = false;
  return std::make_shared<const figures::PerformanceInput>(std::move(input));
}

Result<scene::Scene> draw_ladder(LessonDesk& desk, const State& state, const figures::Figure& figure,
                                 scene::Size size, scene::PictureWords& words) {
  auto options = export_options(state, desk.sources().catalog);
  if (!options) return options.error();
  // As in the window: where most was recorded, unless the state wants its own size.
  if (state.view.steps_by != StepsBy::speed_here) options->kernel.size.clear();
  figures::Subject subject;
  if (figure.of == figures::Of::device) {
    auto transfers = transfers_to(desk.workspace(), options->kernel.device);
    if (!transfers) return transfers.error();
    transfers->memories = figures::memories_named(state.drawing.kinds).value_or(std::vector<std::string>{});
    subject.performance = std::make_shared<const figures::PerformanceInput>(*std::move(transfers));
  } else {
    const auto input = desk.performance(options->kernel, figure.has(figures::Trait::sizes));
    if (!input) return input.error();
    subject.performance = *input;
    if (figure.has(figures::Trait::sizes)) subject.performance = as_drawn(**input, state.drawing);
  }
  return draw_said(desk, figure, subject, size, words);
}

scene::Scene side_by_side(scene::Scene left, scene::Scene right, scene::Size size) {
  scene::Scene both(size, left.background);
  right.root.origin = {size.width - right.size.width, 0};
  both.root.group(std::move(left.root));
  both.root.group(std::move(right.root));
  return both;
}

scene::Size half(scene::Size size) { return {(size.width - kGap) / 2, size.height}; }

Result<scene::Scene> draw_own(const LessonDesk& desk, const State& state, bool shared, scene::Size size,
                              scene::PictureWords& words) {
  const auto own = own_access(state, desk.sources().devices);
  if (!own) return own.error();
  const figures::Figure& figure = *figures::find_figure(shared ? "banks" : "coalescing");
  figures::Subject subject;
  subject.own_access = std::make_shared<const figures::WarpAccessView>(
      figures::view_of((**own).access, shared, (**own).device, state.playground.index));
  return draw_said(desk, figure, subject, size, words);
}

Result<scene::Scene> draw_playground(const LessonDesk& desk, const State& state, scene::Size size,
                                     scene::PictureWords& words) {
  if (state.playground.memory != Memory::both)
    return draw_own(desk, state, state.playground.memory == Memory::shared, size, words);
  auto global = draw_own(desk, state, false, half(size), words),
       shared = draw_own(desk, state, true, half(size), words);
  if (!global) return global;
  if (!shared) return shared;
  return side_by_side(*std::move(global), *std::move(shared), size);
}

// The other kernel has the access that the stop wishes where it has such a one, else that which shows its
// cost.
Result<scene::Scene> draw_side(LessonDesk& desk, const StopState& stop, const CompareSide& side,
                               scene::Size size, scene::PictureWords& words) {
  lesson::RunKey key = run_key(stop.state);
  key.kernel = side.kernel, key.parameters = side.params, key.block = stop.state.compare.block;
  auto run = desk.sources().runs.run(key);
  if (!run) return run.error();
  auto shown = lesson::subject_of(*run, key.block, stop.state.compare.warp, stop.access);
  if (!shown && side.kernel != stop.state.kernel) shown = lesson::subject_of(*run, 0, 0, {});
  if (!shown) return shown.error();
  return draw_run(desk, stop.state, *figures::find_figure(stop.state.compare.figure), *shown, size, words);
}

Result<scene::Scene> draw_compared(LessonDesk& desk, const StopState& stop, scene::Size size,
                                   scene::PictureWords& words) {
  StopState complete = stop;
  const auto spec = desk.sources().catalog.find(stop.state.kernel);
  if (!spec) return spec.error();
  complete_sides(complete.state, kernels_beside(desk.sources().catalog, *spec));
  auto left = draw_side(desk, complete, complete.state.compare.left, half(size), words);
  if (!left) return left;
  auto right = draw_side(desk, complete, complete.state.compare.right, half(size), words);
  if (!right) return right;
  return side_by_side(*std::move(left), *std::move(right), size);
}

// As many words a line as fit.
std::vector<std::string> lines_of(const std::string& text, double width, const scene::TextStyle& style,
                                  const scene::TextMeasure& measure) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (!lines.back().empty() && measure.width(longer, style) > width)
      lines.push_back(word);
    else
      lines.back() = longer;
    at = end + 1;
  }
  return lines;
}

}  // namespace

bool is_of_window(const State& state) {
  const auto* figure = figures::find_figure(state.view.figure);
  return state.view.page == Page::ladder && (figure == nullptr || !figures::is_drawn(*figure));
}

Result<scene::Scene> stop_picture(LessonDesk& desk, StopContext& stop, scene::Size size,
                                  scene::PictureWords* said) {
  scene::PictureWords unheard, &words = said == nullptr ? unheard : *said;
  words = {};
  const State& state = stop.stop().state;
  if (state.view.page == Page::playground) return draw_playground(desk, state, size, words);
  if (state.view.page == Page::compare) return draw_compared(desk, stop.stop(), size, words);
  if (is_of_window(state))
    return Error{fmt::format("the figure '{}' is drawn by the window alone", state.view.figure),
                 "open the lesson in the window"};
  const figures::Figure& figure = *figures::find_figure(state.view.figure);
  if (is_plot(figure)) return draw_ladder(desk, state, figure, size, words);
  const auto shown = stop.shown();
  if (!shown) return shown.error();
  return draw_run(desk, stop.stop().state, figure, *shown, size, words);
}

scene::Scene covered_picture(const std::string& question, scene::Size size,
                             const scene::TextMeasure& measure) {
  scene::Scene scene(size);
  const scene::TextStyle style{
      .size = kQuestionSize, .weight = scene::Weight::semibold, .anchor = scene::Anchor::middle};
  const auto lines = lines_of(question, size.width * 0.7, style, measure);
  const double height = kQuestionSize * 1.4;
  double y = (size.height - height * static_cast<double>(lines.size())) / 2 + kQuestionSize;
  for (const std::string& line : lines) {
    scene.root.text({size.width / 2, y}, line, style);
    y += height;
  }
  return scene;
}

}  // namespace warplens::app
