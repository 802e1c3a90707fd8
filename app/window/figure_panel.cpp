// The figure with what must be said above it: why there is none, or that its numbers are not to be trusted.
#include "app/window/figure_canvas.hpp"
#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

// What stands in the way of the picture, with what to do about it. Answers the height it took.
double draw_error(const Ui& ui, const Rect& rect, const Error& error) {
  const float inner = static_cast<float>(rect.width) - ui.px(32);
  const std::string where = to_string(error.place);
  const std::string text = (where.empty() ? "" : where + ": ") + error.message;
  const Label message{Type::body, Token::costly}, next{Type::caption, Token::dim};
  const float first = draw_paragraph(ui, {0, 0}, inner, text, message, false);
  const float second = error.next_step.empty()
                           ? 0
                           : draw_paragraph(ui, {0, 0}, inner, error.next_step, next, false) + ui.px(4);
  const double height = first + second + ui.px(24);
  fill(ui, {rect.x, rect.y, rect.width, height}, Token::panel, 1, theme::metric::corner);
  frame(ui, {rect.x, rect.y, rect.width, height}, Token::costly, 1, theme::metric::corner);
  const ImVec2 at{static_cast<float>(rect.x) + ui.px(16), static_cast<float>(rect.y) + ui.px(12)};
  draw_paragraph(ui, at, inner, text, message);
  if (second > 0) draw_paragraph(ui, {at.x, at.y + first + ui.px(4)}, inner, error.next_step, next);
  return height + ui.px(8);
}

void draw_tooltip(const Ui& ui, const Rect& rect) {
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  if (ui.canvas.shown() == nullptr || !ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto hit = scene::hit_test(
      *ui.canvas.shown(), {(mouse.x - rect.x) / ui.canvas.scale(), (mouse.y - rect.y) / ui.canvas.scale()},
      ui.canvas.fonts());
  if (hit && !hit->title.empty()) tooltip(ui, hit->title);
}

}  // namespace

void draw_figure_canvas(const Ui& ui, const Rect& rect) {
  Rect rest = rect;
  const auto shrink = [&](double by) { rest = {rest.x, rest.y + by, rest.width, rest.height - by}; };
  if (ui.model.error()) shrink(draw_error(ui, rest, *ui.model.error()));
  const KernelRun* run = ui.model.run();
  if (run != nullptr && run->complete && !run->fault && !run->report.verified)
    shrink(draw_error(ui, rest,
                      {"The result is wrong: " + run->report.explanation,
                       "Numbers and pictures show what ran, not a valid kernel"}));
  ui.mark("figure", rest);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(corner(rest), far_corner(rest), true);
  ui.canvas.draw(ui.model, ui.theme, list, rest, ui.scale);
  list.PopClipRect();
  draw_tooltip(ui, rest);
}

}  // namespace warplens::app
