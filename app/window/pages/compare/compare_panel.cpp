// Two kernels side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/compare/compare_panels.hpp"
#include "app/window/pages/ladder/transport.hpp"
#include "app/window/tools.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

constexpr double head_height = 42, transport_height = 48;
// Below this room in design pixels only one part is shown at a time, and the sliders are behind a button.
constexpr double roomy_height = 720;

void draw_side_message(const Ui& ui, const Rect& rect, const Error& error) {
  const float inner = static_cast<float>(rect.width) - ui.px(48);
  const std::string text = error.message + (error.next_step.empty() ? "" : ". " + error.next_step);
  const float height = draw_paragraph(ui, {0, 0}, inner, text, {Type::body}, false);
  const Rect box{rect.x + ui.px(12), rect.y + ui.px(12), rect.width - ui.px(24), height + ui.px(24)};
  fill(ui, box, Token::panel, 1, theme::metric::corner);
  frame(ui, box, Token::costly, 1, theme::metric::corner);
  draw_paragraph(ui, {static_cast<float>(box.x) + ui.px(12), static_cast<float>(box.y) + ui.px(12)}, inner,
                 text, {Type::body, Token::costly});
}

// What a picture must not be shown without.
std::optional<Error> warning_of(const Comparison& comparison, Side side) {
  if (comparison.error(side)) return comparison.error(side);
  const run::Run* run = comparison.run(side);
  if (run != nullptr && run->complete && !run->fault && !run->report.verified)
    return Error{"The result is wrong: " + run->report.explanation, ""};
  return std::nullopt;
}

void draw_picture(const Ui& ui, Side side, const Rect& rect) {
  const Comparison& comparison = ui.tools.comparison;
  ui.mark(side == Side::left ? "compare/left picture" : "compare/right picture", rect);
  const figures::Figure& figure = compared_figure(ui.state());
  const scene::Size least = figure.least;
  const double scale = std::min<double>({ui.scale, rect.width / least.width, rect.height / least.height});
  if (scale <= 0.05) return;
  const scene::Scene* scene = ui.tools.pictures.picture(
      comparison, side, figure, access_options(ui.state().drawing),
      {std::floor(rect.width / scale), std::floor(rect.height / scale)}, ui.canvas.fonts());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(corner(rect), far_corner(rect), true);
  if (scene != nullptr) ui.canvas.paint(*scene, ui.theme, list, {rect.x, rect.y}, scale);
  if (const auto warning = warning_of(comparison, side)) draw_side_message(ui, rect, *warning);
  list.PopClipRect();
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::Dummy(extent(rect));
  if (scene == nullptr || !ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto hit =
      scene::hit_test(*scene, {(mouse.x - rect.x) / scale, (mouse.y - rect.y) / scale}, ui.canvas.fonts());
  if (hit && !hit->title.empty()) tooltip(ui, hit->title);
}

void draw_pictures(const Ui& ui, const Rect& rect) {
  Comparison& comparison = ui.tools.comparison;
  CompareState& compare = ui.state().compare;
  const double below = ui.px(transport_height), gap = ui.px(12);
  const double half = std::floor(rect.width / 2), height = rect.height - below - 2 * ui.px(8);
  if (height > ui.px(40)) {
    ui.mark("compare/pictures", {rect.x, rect.y, rect.width, height});
    draw_picture(ui, Side::left, {rect.x, rect.y, half, height});
    draw_picture(ui, Side::right, {rect.x + half, rect.y, rect.width - half, height});
    rule(ui, rect.x + half, rect.y + gap, rect.x + half, rect.y + height - gap);
  }
  const auto place = [&](Side side) {
    const std::size_t count = comparison.steps(side);
    return count == 0 ? std::string("no accesses")
                      : fmt::format("{} of {}", grouped(comparison.selection(side).step), grouped(count));
  };
  draw_transport(ui, {rect.x + gap, rect.bottom() - below - ui.px(8), rect.width - 2 * gap, below},
                 {.steps = comparison.steps(),
                  .step = compare.step,
                  .block = compare.block,
                  .blocks = comparison.blocks(),
                  .warp = compare.warp,
                  .warps = comparison.warps(),
                  .here = fmt::format("left {}, right {}", place(Side::left), place(Side::right)),
                  .go_to = [&](std::uint32_t step) { compare.step = step; },
                  .choose_block = [&](std::uint64_t b) { compare.block = b, compare.step = 0; },
                  .choose_warp = [&](std::uint32_t w) { compare.warp = w, compare.step = 0; }});
}

}  // namespace

void draw_compare(const Ui& ui, const Rect& rect) {
  ui.tools.comparison.update();
  const bool roomy = rect.height >= ui.px(roomy_height);
  const double head = ui.px(head_height);
  draw_compare_head(ui, {rect.x, rect.y, rect.width, head}, roomy);
  const double sides = compare_sides_height(ui, std::floor(rect.width / 2), roomy);
  draw_compare_sides(ui, {rect.x, rect.y + head, rect.width, sides}, roomy);
  const Rect body{rect.x, rect.y + head + sides, rect.width, rect.height - head - sides};
  switch (ui.state().compare.part) {
    case ComparePart::all:
      if (roomy) break;
      [[fallthrough]];
    case ComparePart::pictures:
      return draw_pictures(ui, body);
    case ComparePart::counters:
      return draw_compare_table(ui, body);
    case ComparePart::source:
      return draw_compare_source(ui, body);
  }
  const double pictures = std::floor(body.height * 0.65), lower = body.height - pictures - 1;
  draw_pictures(ui, {body.x, body.y, body.width, pictures});
  rule(ui, body.x, body.y + pictures, body.right(), body.y + pictures);
  const double table = std::clamp<double>(std::floor(body.width * 0.38), ui.px(380), ui.px(620));
  draw_compare_table(ui, {body.x, body.y + pictures + 1, table, lower});
  rule(ui, body.x + table, body.y + pictures + 1, body.x + table, body.bottom());
  draw_compare_source(ui, {body.x + table + 1, body.y + pictures + 1, body.width - table - 1, lower});
}

}  // namespace warplens::app
