// What is compared: the parts shown, the figure, and each side's step with its sliders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/text_table.hpp"
#include "app/state/compare_choice.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/compare/compare_panels.hpp"

namespace warplens::app {
namespace {

constexpr double kPickerHeight = 32, kSliderWidth = 128, kSliderHeight = 48;

struct PartTab {
  ComparePart part;
  const char* name;
};
constexpr PartTab kParts[] = {{ComparePart::all, "Overview"},
                              {ComparePart::pictures, "Pictures"},
                              {ComparePart::counters, "Counters"},
                              {ComparePart::source, "Source"}};

const char* side_name(Side side) { return side == Side::left ? "left" : "right"; }

std::string_view figure_title(const std::string& id) {
  for (const figures::Figure& tab : figures::figures_of_a_run())
    if (tab.id == id) return tab.title;
  return figures::figures_of_a_run().front().title;
}

void draw_figure_menu(const Ui& ui, double right, const Rect& rect) {
  CompareState& compare = ui.state().compare;
  const Rect place{right - ui.px(128), rect.y + ui.px(6), ui.px(128), rect.height - ui.px(12)};
  if (button(ui, "compare/figure", place, figure_title(compare.figure), {.menu = true}))
    ImGui::OpenPopup("compared figures");
  if (begin_menu("compared figures", place)) {
    for (const figures::Figure& tab : figures::figures_of_a_run())
      if (menu_item(ui, std::string(tab.title), {.chosen = tab.id == compare.figure}))
        compare.figure = std::string(tab.id);
    ImGui::EndPopup();
  }
}

double columns_of(const Ui& ui, double half_width) {
  return std::max(1.0, std::floor((half_width - ui.px(32)) / ui.px(kSliderWidth + 20)));
}

double sliders_height(const Ui& ui, const Comparison& comparison, Side side, double half_width) {
  const auto& sliders = comparison.sliders(side);
  const double columns = columns_of(ui, half_width);
  return std::ceil(static_cast<double>(sliders.size()) / columns) * ui.px(kSliderHeight);
}

void draw_step_menu(const Ui& ui, Comparison& comparison, Side side, const Rect& rect) {
  const catalog::KernelSpec* chosen = comparison.spec(side);
  const std::string name = fmt::format("compare/{}", side_name(side));
  if (button(ui, name, rect, chosen == nullptr ? "" : chosen->title,
             {.tip = chosen == nullptr ? std::string_view() : std::string_view(chosen->idea), .menu = true}))
    ImGui::OpenPopup(name.c_str());
  if (!begin_menu(name.c_str(), rect)) return;
  std::string ladder;
  for (const auto* candidate : comparison.candidates()) {
    // A heading for each ladder with kernels of the problem.
    const std::string own = ladder_of(candidate->id);
    if (own != ladder) ImGui::TextDisabled("%s", ladder_title(own).c_str());
    ladder = own;
    const std::string line = candidate->title + "##" + candidate->id;
    const bool is_chosen = chosen != nullptr && candidate->id == chosen->id;
    if (menu_item(ui, line, {.chosen = is_chosen, .mark = name + "/" + candidate->id}))
      comparison.choose_kernel(side, candidate->id);
  }
  ImGui::EndPopup();
}

// Sliders from left to right and on below; where they have no room, behind a button.
void draw_sliders(const Ui& ui, Comparison& comparison, Side side, const Rect& rect) {
  const std::vector<Slider> sliders = comparison.sliders(side);
  const double columns = columns_of(ui, rect.width);
  const double count = std::min(columns, std::max(1.0, static_cast<double>(sliders.size())));
  const double width =
      std::min<double>(ui.px(220), (rect.width - ui.px(32) - ui.px(20) * (count - 1)) / count);
  double y = rect.y, next = rect.y;
  for (std::size_t i = 0; i < sliders.size(); ++i) {
    const double column = std::fmod(static_cast<double>(i), columns);
    if (column == 0) y = next;
    const std::string& name = sliders[i].parameter.name;
    const double bottom =
        draw_slider(ui, fmt::format("compare/{}/{}", side_name(side), name), sliders[i],
                    rect.x + ui.px(16) + column * (width + ui.px(20)), y, width,
                    [&](std::int64_t value) { comparison.set_parameter(side, name, value); });
    next = std::max(next, bottom);
  }
}

// "TILE 32, ROWS 8", or "TILE 32 +1" where there is no room for more.
std::string words_of(const std::vector<Slider>& sliders, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sliders[i].parameter.name, sliders[i].value);
  return shown == sliders.size() ? text : fmt::format("{} +{}", text, sliders.size() - shown);
}

void draw_sliders_button(const Ui& ui, Comparison& comparison, Side side, const Rect& rect) {
  const auto& sliders = comparison.sliders(side);
  if (sliders.empty()) return;
  const double room = rect.width - ui.px(kMenuArrowWidth);
  std::size_t shown = sliders.size();
  while (shown > 1 && text_width(ui, words_of(sliders, shown), Type::caption) > room) --shown;
  const std::string name = fmt::format("compare/{}/parameters", side_name(side));
  const std::string all = words_of(sliders, sliders.size());
  if (button(ui, name, rect, words_of(sliders, shown),
             {.tip = shown == sliders.size() ? "" : std::string_view(all), .menu = true}))
    ImGui::OpenPopup(name.c_str());
  constexpr double popup_width = 440;
  ImGui::SetNextWindowSize({ui.px(popup_width), 0});
  if (!begin_menu(name.c_str(), rect)) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double width = ImGui::GetContentRegionAvail().x;
  double y = at.y;
  for (const Slider& slider : std::vector<Slider>(sliders)) {
    const std::string& parameter = slider.parameter.name;
    y = draw_slider(ui, fmt::format("compare/{}/{}", side_name(side), parameter), slider, at.x, y, width,
                    [&](std::int64_t value) { comparison.set_parameter(side, parameter, value); });
  }
  ImGui::SetCursorScreenPos({at.x, static_cast<float>(y)});
  ImGui::Dummy({1, 1});
  ImGui::EndPopup();
}

// Of the steps' pickers, alike on both sides: as wide as a title needs, as far as the sliders' button leaves
// room for its first slider.
double picker_width(const Ui& ui, const Comparison& comparison, double inner) {
  double title = 0, first = 0;
  for (const Side side : kBothSides) {
    if (const auto* spec = comparison.spec(side))
      title = std::max<double>(title, text_width(ui, spec->title, Type::strong));
    const auto sliders = comparison.sliders(side);
    if (!sliders.empty())
      first = std::max<double>(first, text_width(ui, words_of(sliders, 1), Type::caption));
  }
  const double arrow = ui.px(kMenuArrowWidth) + 2;
  return std::min(std::max(title + arrow, inner * 0.5), inner - first - arrow - ui.px(8));
}

void draw_side(const Ui& ui, Comparison& comparison, Side side, const Rect& rect, bool roomy) {
  const double inner = rect.width - ui.px(32), height = ui.px(kPickerHeight);
  const Rect line{rect.x + ui.px(16), rect.y + ui.px(8), inner, height};
  const double picker =
      roomy ? std::min<double>(ui.px(280), inner * 0.6) : picker_width(ui, comparison, inner);
  draw_step_menu(ui, comparison, side, {line.x, line.y, picker, height});
  double x = line.x + picker + ui.px(8);
  const auto busy = comparison.busy_seconds(side);
  const double busy_width = busy && *busy > kBusyAfter ? ui.px(120) : 0;
  if (!roomy)
    draw_sliders_button(ui, comparison, side,
                        {x, line.y, line.right() - x - busy_width - (busy_width > 0 ? ui.px(8) : 0), height});
  if (busy_width > 0) {
    const double left = roomy ? x : line.right() - busy_width;
    if (button(ui, fmt::format("compare/{}/cancel", side_name(side)), {left, line.y, ui.px(84), height},
               "Cancel", {.icon = Icon::stop, .tip = "Stop this run (Esc)"}))
      comparison.cancel();
    spinner(ui, {static_cast<float>(left) + ui.px(104), static_cast<float>(line.center().y)}, ui.px(8));
  }
  if (roomy)
    draw_sliders(ui, comparison, side,
                 {rect.x, line.bottom() + ui.px(8), rect.width, rect.bottom() - line.bottom()});
}

}  // namespace

void draw_compare_head(const Ui& ui, Comparison& comparison, const Rect& rect, bool roomy) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
  CompareState& compare = ui.state().compare;
  double x = rect.x + ui.px(16);
  for (const PartTab& tab : kParts) {
    if (tab.part == ComparePart::all && !roomy) continue;
    const Rect place{x, rect.y, text_width(ui, tab.name, Type::strong) + ui.px(2), rect.height};
    const bool open = compare.part == tab.part ||
                      (!roomy && compare.part == ComparePart::all && tab.part == ComparePart::pictures);
    if (button(ui, fmt::format("compare/{}", tab.name), place, tab.name, {.look = Look::tab, .chosen = open}))
      compare.part = tab.part;
    x += place.width + ui.px(22);
  }
  double right = rect.right() - ui.px(12);
  const auto take = [&](std::string_view name, std::string_view text, double width, std::string_view tip) {
    const Rect place{right - ui.px(width), rect.y + ui.px(6), ui.px(width), rect.height - ui.px(12)};
    right = place.x - ui.px(8);
    return button(ui, name, place, text, {.tip = tip});
  };
  const bool to_editor = ui.page().page_behind() == Page::edit;
  if (take("compare/close", "Close", 68, to_editor ? "Back to the editor (C)" : "Back to the ladder (C)"))
    ui.state().view.page = ui.page().page_behind();
  if (take("compare/swap", "Swap", 68, "Swap the sides")) comparison.swap_sides();
  const bool by_share = compare.pace == Pace::share;
  if (take("compare/pace", by_share ? "Same part of the run" : "Same access", 176,
           by_share ? "Both sides stand at the same share of their accesses; click for the same access number"
                    : "Both sides stand at the same access number; click for the same share of their way"))
    compare.pace = by_share ? Pace::number : Pace::share;
  draw_figure_menu(ui, right, rect);
}

double compare_sides_height(const Ui& ui, const Comparison& comparison, double half_width, bool roomy) {
  double height = ui.px(8 + kPickerHeight + 8);
  if (roomy)
    height += std::max(sliders_height(ui, comparison, Side::left, half_width),
                       sliders_height(ui, comparison, Side::right, half_width));
  return height;
}

void draw_compare_sides(const Ui& ui, Comparison& comparison, const Rect& rect, bool roomy) {
  fill(ui, rect, Token::panel);
  const double half = std::floor(rect.width / 2);
  draw_side(ui, comparison, Side::left, {rect.x, rect.y, half, rect.height}, roomy);
  draw_side(ui, comparison, Side::right, {rect.x + half, rect.y, rect.width - half, rect.height}, roomy);
  rule(ui, rect.x + half, rect.y, rect.x + half, rect.bottom());
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
}

}  // namespace warplens::app
