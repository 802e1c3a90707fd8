#include "app/window/lesson/class_stage.hpp"

#include <fmt/format.h>

#include <charconv>

#include "app/window/kit/page.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/kit/stage_tools.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/lesson/lesson_stage.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

// One step of what the open page shows.
lesson_scene::Stage page_stage(const Ui& ui) {
  const StageWords words = ui.page().stage_words(ui);
  const bool hidden = ui.stage.hides_picture;
  return {.lesson = words.place,
          .heading = "",
          .headline = hidden && !words.question.empty() ? words.question : words.headline,
          .context = "",
          .sentence = hidden ? "" : words.sentence,
          .choices = {},
          .prompt = "",
          .is_covered = hidden,
          .stop = words.at,
          .stops = words.count};
}

void click_page_stage(const Ui& ui, std::string_view id, std::size_t chosen) {
  constexpr std::string_view mark = "stop:";
  if (!id.starts_with(mark)) return;
  std::ptrdiff_t number = 0;
  std::from_chars(id.data() + mark.size(), id.data() + id.size(), number);
  ui.stage.turn_page();
  ui.page().choose_step(number - static_cast<std::ptrdiff_t>(chosen));
}

void draw_picture(const Ui& ui, const lesson_scene::Stage& stage, const Rect& picture) {
  if (!stage.is_covered) {
    ui.mark("stage/picture", picture);
    return ui.page().draw_for_a_class(ui, picture);
  }
  scene::Scene cover({picture.width, picture.height});
  lesson_scene::add_cover(cover.root, {0, 0, picture.width, picture.height}, stage.context,
                          ui.painter.fonts());
  ui.painter.paint(cover, ui.theme, *ImGui::GetWindowDrawList(), {picture.x, picture.y}, 1);
  ui.mark("stage/cover", picture);
}

// What the teacher draws looks like nothing in a picture.
constexpr Token kPen = Token::series_4;

// Lines are kept in shares of the window, so that they stay where they are in a larger one.
void use_pen(const Ui& ui, const Rect& rect) {
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float unit = static_cast<float>(rect.height / 720);
  auto& strokes = ui.stage.strokes;
  if (ui.stage.has_pen && ImGui::IsMouseClicked(0)) strokes.emplace_back();
  if (ui.stage.has_pen && ImGui::IsMouseDown(0) && !strokes.empty()) {
    const scene::Point at{mouse.x / rect.width, mouse.y / rect.height};
    if (strokes.back().empty() || !(strokes.back().back() == at)) strokes.back().push_back(at);
  }
  for (const auto& stroke : strokes) {
    std::vector<ImVec2> line;
    for (const scene::Point& at : stroke)
      line.push_back({static_cast<float>(at.x * rect.width), static_cast<float>(at.y * rect.height)});
    list.AddPolyline(line.data(), static_cast<int>(line.size()), ui.color(kPen), 0, 4 * unit);
  }
  if (ui.stage.has_pen)
    list.AddCircleFilled(mouse, 3 * unit, ui.color(kPen));
  else if (ui.stage.has_pointer)
    list.AddCircleFilled(mouse, 11 * unit, ui.color(Token::costly, 0.75));
  if (ui.stage.has_pen || ui.stage.has_pointer) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

// Whether the stop asks to move sliders, which a class does not see at first.
bool is_tried(const Ui& ui) {
  return ui.lessons.is_open() && ui.lessons.writing().assignment == nullptr && !ui.lessons.is_covering() &&
         ui.lessons.here().find<lesson::Try>() != nullptr;
}

lesson_scene::Stage stage_now(const Ui& ui) {
  lesson_scene::Stage stage = ui.lessons.is_open() ? lesson_stage(ui.lessons) : page_stage(ui);
  stage.is_covered |= ui.stage.hides_picture;
  stage.type = ui.state().view.text_scale;
  const bool has_room = ui.page().has_sliders() && stage.choices.empty() && stage.prompt.empty();
  stage.has_column = ui.stage.has_sliders && has_room;
  if (has_room && !stage.has_column && is_tried(ui)) stage.more.emplace_back("Key S shows the sliders.");
  return stage;
}

}  // namespace

void draw_class_stage(const Ui& ui, const Rect& rect) {
  using Blank = StageTools::Blank;
  if (const Blank blank = ui.stage.blank; blank != Blank::none) {
    ui.mark("stage/blank", rect);
    return ImGui::GetWindowDrawList()->AddRectFilled(corner(rect), far_corner(rect),
                                                     blank == Blank::black ? IM_COL32_BLACK : IM_COL32_WHITE);
  }
  fill(ui, rect, Token::background);
  const scene::TextMeasure& fonts = ui.painter.fonts();
  const scene::Size size{rect.width, rect.height};
  lesson_scene::Stage stage = stage_now(ui);
  const lesson_scene::StageLayout layout = lesson_scene::stage_layout(stage, size, fonts);
  const auto placed = [&](const Rect& r) { return Rect{rect.x + r.x, rect.y + r.y, r.width, r.height}; };
  const Rect picture = placed(layout.picture), column = placed(layout.question);
  ui.mark("stage", rect);
  draw_picture(ui, stage, picture);
  // The picture may be a new one from this frame on: what is said is of it.
  stage = stage_now(ui);
  ui.mark(fmt::format("stage/step {}", stage.stop + 1), rect);
  ui.mark("stage/says " + stage.headline, rect);
  const scene::Scene scene = lesson_scene::draw_stage(stage, size, fonts);
  ui.painter.paint(scene, ui.theme, *ImGui::GetWindowDrawList(), {rect.x, rect.y}, 1);
  if (stage.has_column) ui.page().draw_sliders(ui, column);
  use_pen(ui, rect);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsMouseReleased(0) || ui.stage.has_pen || picture.contains({mouse.x, mouse.y})) return;
  const auto hit = scene::hit_test(scene, {mouse.x - rect.x, mouse.y - rect.y}, fonts);
  if (!hit) return;
  ui.lessons.is_open() ? click_lesson_stage(ui.lessons, hit->id)
                       : click_page_stage(ui, hit->id, ui.page().stage_words(ui).chosen);
}

}  // namespace warplens::app
