#include "app/window/kit/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/kit/focus.hpp"
#include "app/window/kit/imgui_compat.hpp"
#include "app/window/kit/widgets.hpp"

namespace warplens::app {
namespace {

constexpr double kLeastScrubber = 40;
constexpr double kOneRowHeight = 64;  // design pixels: lower than this everything is in one row
constexpr double kWholeRow = 860;     // of one row: in less, what keys do too is left out
constexpr double kBriefSpeed = 580;   // of one row beside something else: in less, the speed is left out

double last_step(const Transport& transport) {
  return transport.steps == 0 ? 0 : static_cast<double>(transport.steps - 1);
}

// tight: without those to the ends, which have keys.
double draw_buttons(const Ui& ui, const Transport& transport, double x, double y, double height, bool tight) {
  const double width = ui.px(transport.is_brief ? 28 : 34), gap = ui.px(transport.is_brief ? 4 : 6);
  const bool any = transport.steps > 0;
  const auto last = static_cast<std::uint32_t>(last_step(transport));
  const auto one = [&](std::string_view name, Icon icon, std::string_view tip, bool primary = false) {
    const Rect rect{x, y, width, height};
    x += rect.width + gap;
    return button(ui, name, rect, "",
                  {.look = primary ? Look::primary : Look::plain, .icon = icon, .enabled = any, .tip = tip});
  };
  if (!tight && one("first", Icon::first, "First access (Home)")) transport.go_to(0);
  if (one("back", Icon::previous, "Previous access (left arrow)"))
    transport.go_to(transport.step == 0 ? 0 : transport.step - 1);
  if (one("play", ui.is_playing() ? Icon::pause : Icon::play, "Play or pause (space)", true))
    ui.playing_since = ui.is_playing() ? -1 : ImGui::GetTime();
  if (one("forward", Icon::next, "Next access (right arrow)"))
    transport.go_to(std::min(last, transport.step + 1));
  if (!tight && one("last", Icon::last, "Last access (End)")) transport.go_to(last);
  return x;
}

void draw_scrubber(const Ui& ui, const Rect& rect, const Transport& transport) {
  const Rect track{rect.x + ui.px(7), rect.center().y - ui.px(1.5), rect.width - ui.px(14), ui.px(3)};
  ui.mark("scrubber", {track.x, rect.y, track.width, rect.height});
  const double last = last_step(transport);
  ImGui::SetCursorScreenPos(corner(rect));
  ImGui::InvisibleButton("scrubber", extent(rect));
  clicked_by_key(ui, "scrubber", rect);
  if (ui.focus.is_on("scrubber") && compat::pressed(compat::Key::right))
    transport.go_to(std::min(transport.step + 1, static_cast<std::uint32_t>(last)));
  if (ui.focus.is_on("scrubber") && compat::pressed(compat::Key::left) && transport.step > 0)
    transport.go_to(transport.step - 1);
  double share = last > 0 ? std::min(1.0, transport.step / last) : 0;
  if (ImGui::IsItemActive() && last > 0) {
    const double at = (ImGui::GetIO().MousePos.x - track.x) / std::max(1.0, track.width);
    const double step = std::floor(std::clamp(at, 0.0, 1.0) * last + 0.5);
    transport.go_to(static_cast<std::uint32_t>(step));
    share = step / last;
  }
  fill(ui, track, Token::line, 1, 1.5);
  fill(ui, {track.x, track.y, track.width * share, track.height}, Token::accent, 1, 1.5);
  // Where the block met a barrier, as far as marks can be told apart.
  double drawn = -1e9;
  for (const double barrier : transport.barriers) {
    const double x = track.x + track.width * barrier;
    if (x - drawn < ui.px(5)) continue;
    drawn = x;
    fill(ui, {std::round(x), track.bottom() + ui.px(5), 1, ui.px(4)}, Token::dim, 0.7);
  }
  draw_disc(ui, {track.x + track.width * share, track.center().y}, ui.px(7), Token::accent);
}

// "◂ Block 3 of 0–255 ▸", counted from 0 as a kernel does: by its arrows, or by typing after a click on it.
// tight: without how many there are.
double draw_picker(const Ui& ui, const char* name, double right, double y, double width, bool tight,
                   std::uint64_t value, std::uint64_t count, auto choose) {
  const double height = ui.px(26), arrow = ui.px(24);
  const Rect rect{right - width, y, width, height};
  const std::string id = name;
  const std::string before = id + " before", after = id + " after";
  if (button(ui, before, {rect.x, y, arrow, height}, "", {.icon = Icon::previous, .enabled = value > 0}))
    choose(value - 1);
  if (button(ui, after, {rect.right() - arrow, y, arrow, height}, "",
             {.icon = Icon::next, .enabled = value + 1 < count}))
    choose(value + 1);
  const Rect middle{rect.x + arrow, y, width - 2 * arrow, height};
  const std::string all = count > 1 ? " of 0–" + grouped(count - 1) : "", of = tight ? "" : all;
  draw_text(ui, middle, id + " " + grouped(value) + of, {Type::caption, Token::dim}, Align::center);
  ImGui::SetCursorScreenPos(corner(middle));
  ImGui::PushID(name);
  const bool by_mouse = ImGui::InvisibleButton("type", extent(middle));
  if (clicked_by_key(ui, id + " number", middle) || by_mouse) ImGui::OpenPopup("number");
  tooltip(ui, id + " " + grouped(value) + all + ". Click to type a number");
  if (begin_popup("number")) {
    int typed = static_cast<int>(value);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(ui.px(120));
    if (ImGui::InputInt("##value", &typed, 1, 16, ImGuiInputTextFlags_EnterReturnsTrue)) {
      choose(static_cast<std::uint64_t>(std::clamp<std::int64_t>(
          typed, 0, std::max<std::int64_t>(1, static_cast<std::int64_t>(count)) - 1)));
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopID();
  return rect.x - ui.px(8);
}

// Returns where it begins.
double draw_speed(const Ui& ui, double right, double y) {
  View& view = ui.state().view;
  const Rect speed{right - ui.px(64), y, ui.px(64), ui.px(26)};
  if (button(ui, "speed", speed, fmt::format("{:g} / s", view.speed),
             {.tip = "Accesses a second while playing"}))
    view.speed = view.speed >= 256 ? 1 : view.speed * 4;
  return speed.x - ui.px(8);
}

double draw_pickers(const Ui& ui, const Transport& transport, double right, double y, bool tight) {
  // As wide as the largest number.
  const auto width_for = [&](const char* name, std::uint64_t count, double least) {
    const std::string largest = tight ? fmt::format("{} {}", name, grouped(count))
                                      : fmt::format("{} {} of 0–{}", name, grouped(count), grouped(count));
    return std::max<double>(ui.px(least),
                            text_width(ui, largest, Type::caption) + ui.px(transport.is_brief ? 50 : 60));
  };
  const double least = transport.is_brief ? 90 : 106;
  right = draw_picker(ui, "Warp", right, y, width_for("Warp", transport.warps, tight ? least : 150), tight,
                      transport.warp, transport.warps,
                      [&](std::uint64_t w) { transport.choose_warp(static_cast<std::uint32_t>(w)); });
  return draw_picker(ui, "Block", right, y, width_for("Block", transport.blocks, tight ? least : 190), tight,
                     transport.block, transport.blocks, transport.choose_block);
}

}  // namespace

void draw_transport(const Ui& ui, const Rect& rect, const Transport& transport) {
  if (transport.is_framed) fill(ui, rect, Token::panel, 1, theme::metric::kCorner);
  if (transport.is_framed) frame(ui, rect, Token::line, 1, theme::metric::kCorner);
  const bool one_row = rect.height < ui.px(kOneRowHeight);
  const bool brief = transport.is_brief, tight = brief || (one_row && rect.width < ui.px(kWholeRow));
  const double high = one_row ? std::min<double>(ui.px(32), rect.height - ui.px(4)) : ui.px(32);
  const double top = rect.y + (one_row ? (rect.height - high) / 2 : ui.px(8));
  const double x = draw_buttons(ui, transport, rect.x + ui.px(12), top, high, tight);
  const std::string count = transport.steps == 0
                                ? ""
                                : fmt::format("{}{} of {}", brief ? "" : "access ",
                                              grouped(transport.step + 1), grouped(transport.steps));
  const double count_width =
      std::max(ui.px(brief ? 60 : 120), text_width(ui, count, Type::caption) + ui.px(2));
  double right = rect.right() - ui.px(12);
  if (!brief || rect.width >= ui.px(kBriefSpeed))
    right =
        draw_speed(ui, right, one_row ? rect.y + (rect.height - ui.px(26)) / 2 : rect.bottom() - ui.px(34));
  if (one_row) {
    right = draw_pickers(ui, transport, right, rect.y + (rect.height - ui.px(26)) / 2, tight) - ui.px(8);
    const double here = text_width(ui, transport.here, Type::small_code) + ui.px(16);
    // Where there is no room for both, the buttons and the number of the access come first.
    if (!brief && right - here - ui.px(12) - count_width - ui.px(20) - x > ui.px(kLeastScrubber)) {
      draw_text(ui, {right - here, top, here, high}, transport.here, {Type::small_code, Token::dim},
                Align::right);
      right -= here + ui.px(12);
    }
  }
  const Rect scrubber{x + ui.px(8), top, right - count_width - ui.px(12) - x - ui.px(8), high};
  if (scrubber.width > ui.px(kLeastScrubber)) draw_scrubber(ui, scrubber, transport);
  if (const Rect number{right - count_width, top, count_width, high}; number.x >= x) {
    ui.mark("access number", number);
    draw_text(ui, number, count, {Type::caption, Token::dim}, Align::right);
  }
  if (one_row) return;
  const double row = rect.bottom() - ui.px(34);
  const double left = draw_pickers(ui, transport, right, row, rect.width < ui.px(560));
  if (left - rect.x < ui.px(72)) return;
  draw_text(ui, {rect.x + ui.px(14), row, left - rect.x - ui.px(14), ui.px(26)}, transport.here,
            {Type::small_code, Token::dim});
}

}  // namespace warplens::app
