#include "viz/stage/stage_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"
#include "viz/figures/parts/stage_words.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/slide.hpp"
#include "viz/lesson/stage.hpp"

namespace warplens::figures {
namespace {

// What is said around the picture, before it is cut to what a class reads.
AroundPicture around_picture(const Figure& figure, const Subject& subject, const StagePage& page) {
  AroundPicture around{.ladder = page.ladder, .title = page.title};
  if (subject.occupancy != nullptr) {
    around.said = occupancy_words(*subject.occupancy);
  } else if (subject.run != nullptr) {
    const Said said = what_it_says(figure, subject);
    around.unit = said.unit, around.said = said.explanation;
    // Figures of the whole ladder compare by themselves.
    if (!figure.has(Trait::compares))
      around.against = page.against, around.than_other = page.than_other,
      around.names_cause = page.names_cause, around.is_point = page.is_point,
      around.other_says = page.other_says;
    around.is_of_access = is_of_access(figure);
    const std::string idle =
        idle_words(subject.run->emulation.blocks_in_grid, subject.run->device().sm_count);
    if (!idle.empty() && around.reasons().front().find("idle") == std::string::npos)
      around.more = fmt::format("At this size {}.", idle);
  } else {
    around.title = message_of(figure, subject);
  }
  if (!page.headline.empty()) around.said.what = page.headline;
  return around;
}

// Of the plot of a ladder: nothing of it is cut, as its picture has the names of all steps.
StageText plot_text(const Figure& figure, const PerformanceInput& input, const StagePage& page) {
  const explain::Explanation said = plot_words(figure, input);
  const std::string what = !page.headline.empty() ? page.headline : sentence(said.what);
  std::string place = page.ladder;
  if (!figure.has(Trait::sizes) && figure.of != Of::device && !input.points.empty())
    place += fmt::format("; at {}", grouped(static_cast<std::uint64_t>(input.points.front().size)));
  return {std::move(place), what.empty() ? std::string(figure.title) : what, sentence(said.why)};
}

lesson_scene::Stage stage_of(const StagePage& page, const StageText& text) {
  return {.lesson = text.place,
          .heading = "",
          .headline = text.headline,
          .context = "",
          .sentence = text.sentence,
          .choices = {},
          .prompt = "",
          .stop = page.at,
          .stops = page.count,
          .type = page.type};
}

// As the window's canvas draws it: in the stage's type, smaller where the figure needs more room.
struct Placed {
  scene::Scene picture;
  double scale = 1;
};
Result<Placed> draw_in(const Figure& figure, const Subject& subject, const scene::Rect& room, double type,
                       const scene::TextMeasure& measure) {
  const scene::Size least = least_size(figure, figures::Look::stage);
  const double scale = std::min({type, room.width / least.width, room.height / least.height});
  auto picture = draw(figure, subject,
                      {std::max(std::floor(room.width / scale), least.width),
                       std::max(std::floor(room.height / scale), least.height)},
                      measure);
  if (!picture) return picture.error();
  return Placed{*std::move(picture), scale};
}

}  // namespace

Result<scene::Scene> stage_page(const Figure& figure, const Subject& subject, const StagePage& page,
                                scene::Size size, const scene::TextMeasure& measure) {
  const double kind = std::clamp(page.type, lesson_scene::kLeastType, lesson_scene::kMostType);
  const bool is_plot = subject.performance != nullptr;
  const auto around = is_plot ? AroundPicture{} : around_picture(figure, subject, page);
  // How much is said depends on what the picture says, and its room on how much is said.
  Drawn drawn;
  for (int turn = 0;; ++turn) {
    const lesson_scene::Stage stage =
        stage_of(page, is_plot ? plot_text(figure, *subject.performance, page) : stage_text(around, drawn));
    const scene::Rect room = lesson_scene::stage_layout(stage, size, measure).picture;
    auto placed = draw_in(figure, subject, room, kind * stage_type(size), measure);
    if (!placed) return placed.error();
    const Drawn words = drawn_words(placed->picture);
    if (words != drawn && turn < 2) {
      drawn = words;
      continue;
    }
    scene::Scene whole = lesson_scene::draw_stage(stage, size, measure);
    scene::Group picture = std::move(placed->picture.root);
    picture.origin = picture.origin * placed->scale + scene::Point{room.x, room.y};
    picture.scale *= placed->scale;
    whole.root.group(std::move(picture));
    return whole;
  }
}

}  // namespace warplens::figures
