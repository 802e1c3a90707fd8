// The ladder: its steps, each with a bar of how little global memory it moves beside the first one.
#include <fmt/format.h>

#include <algorithm>

#include "app/window/panels.hpp"
#include "app/window/widgets.hpp"

namespace warplens::app {
namespace {

constexpr double row_height = 40, head_height = 44;

struct Bars {
  double first = 0, most = 1;  // sectors of the first step; the largest ratio
};

double ratio(const Bars& bars, const StepTraffic* traffic) {
  return traffic == nullptr || traffic->global_sectors == 0
             ? 0
             : bars.first / static_cast<double>(traffic->global_sectors);
}

Bars bars_of(const Ui& ui, const std::vector<const catalog::KernelSpec*>& steps) {
  Bars bars;
  const StepTraffic* first = steps.empty() ? nullptr : ui.model.traffic(steps.front()->id);
  if (first == nullptr) return bars;
  bars.first = static_cast<double>(first->global_sectors);
  for (const auto* step : steps) bars.most = std::max(bars.most, ratio(bars, ui.model.traffic(step->id)));
  return bars;
}

void draw_step(const Ui& ui, const Rect& rect, const catalog::KernelSpec& spec, int number,
               const Bars& bars) {
  ui.mark("step/" + spec.id, rect);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::PushID(spec.id.c_str());
  if (ImGui::InvisibleButton("step", extent(rect))) ui.model.choose_kernel(spec.id);
  const bool hovered = ImGui::IsItemHovered();
  tooltip(ui, spec.idea.empty() ? spec.title : spec.title + ". " + spec.idea);
  ImGui::PopID();
  const bool chosen = spec.id == ui.state().kernel;
  if (chosen || hovered) fill(ui, rect, Token::raised, chosen ? 1 : 0.6, theme::metric::corner);
  if (chosen) fill(ui, {rect.x, rect.y, ui.px(3), rect.height}, Token::accent);

  const double x = rect.x + ui.px(10), top = rect.y + ui.px(4), text = ui.px(22);
  draw_text(ui, {x, top, ui.px(18), text}, std::to_string(number), {Type::small_code, Token::dim},
            Align::right);
  const double title_x = x + ui.px(28), right = rect.right() - ui.px(10);
  const StepTraffic* traffic = ui.model.traffic(spec.id);
  const double times = ratio(bars, traffic);
  const std::string value = times <= 0     ? ""
                            : times < 9.95 ? fmt::format("{:.3g}×", times)
                                           : fmt::format("{:.0f}×", times);
  const double value_width = ui.px(48);
  draw_text(ui, {right - value_width, top, value_width, text}, value, {Type::small_code, Token::dim},
            Align::right);
  draw_text(ui, {title_x, top, right - value_width - title_x - ui.px(4), text}, spec.title,
            {chosen ? Type::strong : Type::body, chosen ? Token::text : Token::dim});
  const Rect track{title_x, rect.bottom() - ui.px(10), right - title_x, ui.px(4)};
  fill(ui, track, chosen ? Token::line : Token::raised, 1, 2);
  if (times <= 0) return;
  const double share = std::clamp(times / bars.most, 0.008, 1.0);
  fill(ui, {track.x, track.y, track.width * share, track.height},
       times >= bars.most ? Token::good : Token::first_warp, 1, 2);
}

void draw_file_problems(const Ui& ui, double x, double y, double width) {
  for (const Error& problem : ui.model.file_problems()) {
    const std::string line = to_line(problem);
    const float height = draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(y)},
                                        static_cast<float>(width), line, {Type::caption, Token::costly});
    y += height + ui.px(8);
    ImGui::SetCursorScreenPos({static_cast<float>(x), static_cast<float>(y)});
    ImGui::Dummy({1, 1});
  }
}

}  // namespace

float steps_height(const Ui& ui) {
  return ui.px(head_height) + ui.px(row_height) * static_cast<float>(ui.model.steps().size()) + ui.px(8);
}

void draw_steps(const Ui& ui, const Rect& rect) {
  const double inner_x = rect.x + ui.px(20);
  const Rect head{inner_x, rect.y + ui.px(8), rect.width - ui.px(40), ui.px(32)};
  draw_text(ui, head, "Steps", {Type::strong, Token::dim});
  const std::string meaning = ui.model.ladder_is_busy() ? "counting…" : "fewer sectors";
  draw_text(ui, head, meaning, {Type::caption, Token::dim, 0.8}, Align::right);
  ImGui::SetCursorScreenPos({static_cast<float>(head.right()) - ui.px(90), static_cast<float>(head.y)});
  ImGui::Dummy({ui.px(90), ui.px(32)});
  tooltip(ui,
          "How many times fewer global memory sectors than the first step, each at its own default values "
          "and this size");
  begin_panel("steps", {rect.x, rect.y + ui.px(head_height), rect.width, rect.height - ui.px(head_height)});
  const auto steps = ui.model.steps();
  const Bars bars = bars_of(ui, steps);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool scrolls = steps_height(ui) > rect.height;
  const double width = rect.width - ui.px(16) - (scrolls ? ui.px(8) : 0);
  double y = at.y;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    draw_step(ui, {rect.x + ui.px(8), y, width, ui.px(row_height - 2)}, *steps[i], static_cast<int>(i) + 1,
              bars);
    if (steps[i]->id == ui.state().kernel && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(0.5f);
    y += ui.px(row_height);
  }
  draw_file_problems(ui, inner_x, y + ui.px(4), rect.width - ui.px(40));
  ImGui::EndChild();
}

}  // namespace warplens::app
