#include "app/window/kit/widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"

namespace warplens::app {
namespace {

double dot_x(const Rect& track, std::size_t index, std::size_t count) {
  return count < 2 ? track.center().x
                   : track.x + track.width * static_cast<double>(index) / static_cast<double>(count - 1);
}

std::size_t nearest_dot(const Rect& track, std::size_t count, double x) {
  if (count < 2 || track.width <= 0) return 0;
  const double at = (x - track.x) / track.width * static_cast<double>(count - 1);
  return static_cast<std::size_t>(std::clamp(std::round(at), 0.0, static_cast<double>(count - 1)));
}

void draw_dots(const Ui& ui, const Rect& track, const Slider& slider, std::optional<std::int64_t> before) {
  for (std::size_t i = 0; i < slider.choices.size(); ++i) {
    const auto& choice = slider.choices[i];
    const scene::Point at{dot_x(track, i, slider.choices.size()), track.center().y};
    if (choice.value == before && choice.value != slider.value)
      draw_disc(ui, at, ui.px(8), Token::accent, std::max(1.0f, ui.px(1.5)));
    if (choice.value == slider.value) {
      draw_disc(ui, at, ui.px(8), choice.valid ? Token::accent : Token::costly);
    } else if (choice.valid) {
      draw_disc(ui, at, ui.px(3.5), Token::dim);
    } else {
      const double ring = std::max(1.0f, ui.px(1.5));
      draw_disc(ui, at, ui.px(4) + ring / 2, Token::panel);
      draw_disc(ui, at, ui.px(4) + ring / 2, Token::dim, ring);
    }
  }
}

// To the next legal value at either side.
void move_by_keys(const Slider& slider, const std::function<void(std::int64_t)>& choose) {
  const bool up = compat::pressed(compat::Key::right), down = compat::pressed(compat::Key::left);
  if (up == down) return;
  const auto& choices = slider.choices;
  const auto here = std::ranges::find(choices, slider.value, &catalog::Choice::value);
  if (here == choices.end()) return;
  const auto is_valid = [](const catalog::Choice& choice) { return choice.valid; };
  if (up) {
    if (const auto next = std::find_if(here + 1, choices.end(), is_valid); next != choices.end())
      choose(next->value);
  } else {
    const auto before = std::find_if(std::make_reverse_iterator(here), choices.rend(), is_valid);
    if (before != choices.rend()) choose(before->value);
  }
}

}  // namespace

double draw_slider(const Ui& ui, std::string_view mark, const Slider& slider, double x, double y,
                   double width, const std::function<void(std::int64_t)>& choose,
                   std::optional<std::int64_t> before) {
  const std::string& name = slider.parameter.name;
  const Rect head{x, y, width, ui.px(20)};
  draw_text(ui, head, name, {Type::code});
  draw_text(ui, head, std::to_string(slider.value), {Type::code}, Align::right);
  ImGui::PushID(mark.data(), mark.data() + mark.size());
  ImGui::SetCursorScreenPos(corner(head));
  ImGui::Dummy(extent(head));
  tooltip(ui, slider.parameter.meaning);

  const Rect track{x + ui.px(6), head.bottom() + ui.px(2), width - ui.px(12), ui.px(20)};
  const Rect hit{x, track.y, width, track.height};
  ui.mark(std::string(mark), track);
  ImGui::SetCursorScreenPos(corner(hit));
  ImGui::InvisibleButton("slider", extent(hit));
  const std::size_t near = nearest_dot(track, slider.choices.size(), ImGui::GetIO().MousePos.x);
  const bool pointed = ImGui::IsItemActive() || ImGui::IsItemHovered(), pressed = ImGui::IsItemActivated();
  if (ImGui::IsItemActive() && near < slider.choices.size() && slider.choices[near].valid)
    choose(slider.choices[near].value);
  ImGui::PopID();
  clicked_by_key(ui, mark, track);
  if (ui.focus.is_on(mark)) move_by_keys(slider, choose);

  const double middle = track.center().y;
  fill(ui, {track.x, middle - ui.px(1.5), track.width, ui.px(3)}, Token::line, 1, 1.5);
  draw_dots(ui, track, slider, before);
  const double bottom = track.bottom() + ui.px(2);
  if (pointed && near < slider.choices.size() && !slider.choices[near].valid) {
    ui.mark(fmt::format("why not/{}", name), track);
    const std::string reason =
        fmt::format("{} = {}: {}", name, slider.choices[near].value, slider.choices[near].reason);
    show_tip(ui, reason);
    if (pressed) ui.wishes.say = reason;
  }
  const auto chosen = std::ranges::find(slider.choices, slider.value, &catalog::Choice::value);
  if (chosen == slider.choices.end() || chosen->valid) return bottom + ui.px(6);
  const std::string reason = fmt::format("{} {}: {}", name, chosen->value, chosen->reason);
  const float height = draw_paragraph(ui, {static_cast<float>(x), static_cast<float>(bottom)},
                                      static_cast<float>(width), reason, {Type::caption, Token::costly});
  return bottom + height + ui.px(8);
}

}  // namespace warplens::app
