// The tabs of the centre: one a figure, those that find no room in a menu.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/window/figure/figure_panel.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/model/performance_data.hpp"
#include "engine/run/derived/product_tiles.hpp"
#include "engine/trace/tensor_recorder.hpp"

namespace warplens::app {
namespace {

// What a figure is of, as the menu says it.
enum class Group : std::uint8_t { access, kernel, ladder, device };
constexpr std::array kGroupNames = {"An access or a block", "The kernel", "All steps", "The device"};

Group group_of(const figures::Figure& figure) {
  using figures::Of;
  switch (figure.of) {
    case Of::access:
    case Of::source:
    case Of::block:
      return Group::access;
    case Of::run:
    case Of::window:
      return Group::kernel;
    case Of::ladder:
      return Group::ladder;
    case Of::device:
      return Group::device;
  }
  return Group::kernel;
}

// Below a heading each, as there may be twenty. Returns the one that was chosen, null for none.
const figures::Figure* draw_rest(const Ui& ui, const std::vector<figures::Figure>& rest,
                                 const std::string& open) {
  const figures::Figure* chosen = nullptr;
  std::optional<Group> group;
  for (const figures::Figure& figure : rest) {
    if (const Group own = group_of(figure); own != group) {
      group = own;
      const char* name = kGroupNames[static_cast<std::size_t>(own)];
      ImGui::TextDisabled("%s", name);
      ui.mark(std::string("more figures/") + name,
              rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
    }
    if (menu_item(ui, std::string(figure.title), {.chosen = figure.id == open})) chosen = &figure;
  }
  return chosen;
}

// Of the row of tabs, and what its parts take of it.
struct Room {
  const Ui& ui;
  double width = 0;
  double gap() const { return ui.px(22); }
  double of_more() const { return ui.px(80); }
  double width_of(const figures::Figure& tab) const {
    return text_width(ui, tab.title, Type::strong) + ui.px(2);
  }
  // How many of the first tabs fit, with so much beside them.
  std::size_t count(const std::vector<figures::Figure>& tabs, double beside) const {
    std::size_t fit = 0;
    for (double used = beside; fit < tabs.size(); ++fit)
      if (used += width_of(tabs[fit]) + gap(); used > width) break;
    return fit;
  }
};

// Tabs that one chosen from the menu may take the place of are in the menu too: so it has the same ones in the same order,
// whichever is open.
std::vector<figures::Figure> rest_of(const Room& room, const std::vector<figures::Figure>& tabs) {
  if (room.count(tabs, 0) == tabs.size()) return {};
  double widest = 0;
  for (std::size_t i = room.count(tabs, room.of_more()); i < tabs.size(); ++i)
    widest = std::max(widest, room.width_of(tabs[i]) + room.gap());
  const std::size_t lasting = room.count(tabs, room.of_more() + widest);
  std::vector<figures::Figure> rest(tabs.begin() + static_cast<std::ptrdiff_t>(lasting), tabs.end());
  std::ranges::stable_sort(rest, {}, group_of);
  return rest;
}

// Each at its place from the left; the open one behind them where it is none of those.
std::vector<figures::Figure> tabs_in(const Room& room, const std::vector<figures::Figure>& tabs,
                                     const std::string& open) {
  if (room.count(tabs, 0) == tabs.size()) return tabs;
  const auto first = [&](std::size_t count) {
    return std::vector<figures::Figure>(tabs.begin(), tabs.begin() + static_cast<std::ptrdiff_t>(count));
  };
  // The open one is in sight, wide as it may be.
  const std::size_t fit = std::max<std::size_t>(1, room.count(tabs, room.of_more()));
  const auto at = std::ranges::find(tabs, open, &figures::Figure::id);
  if (at - tabs.begin() < static_cast<std::ptrdiff_t>(fit)) return first(fit);
  auto shown = first(room.count(tabs, room.of_more() + room.width_of(*at) + room.gap()));
  shown.push_back(*at);
  return shown;
}

}  // namespace

double draw_figure_tabs(const Ui& ui, const Rect& rect, bool with_code) {
  std::vector<figures::Figure> tabs(figures::all_figures().begin(), figures::all_figures().end());
  if (!with_code)
    std::erase_if(tabs,
                  [](const auto& tab) { return tab.has(figures::Trait::panel) && figures::is_drawn(tab); });
  std::string& open = ui.state().view.figure;
  const run::Run* run = ui.model.run();
  const bool multiplies =
      run != nullptr && run->kernel != nullptr && trace::first_product(run->kernel->function()) != nullptr;
  if (!multiplies)  // most kernels have nothing for them
    std::erase_if(tabs,
                  [&](const auto& tab) { return tab.needs.has(study::Fact::tensor) && tab.id != open; });
  if (run == nullptr || !run::multiplies_matrices(*run))
    std::erase_if(tabs, [&](const auto& tab) { return tab.needs.has(study::Fact::tiles) && tab.id != open; });
  const bool was_measured = ui.performance.recorded_now() != nullptr || ui.performance.live_now() != nullptr;
  if (!was_measured)
    std::erase_if(tabs, [&](const auto& tab) { return tab.has(figures::Trait::samples) && tab.id != open; });
  const auto known = [&] {
    return std::any_of(tabs.begin(), tabs.end(), [&](const auto& tab) { return tab.id == open; });
  };
  if (!known()) open = std::string(tabs.front().id);

  const Room room{ui, rect.width - ui.px(32)};
  const std::vector<figures::Figure> rest = rest_of(room, tabs);
  const std::vector<figures::Figure> shown = tabs_in(room, tabs, open);
  double x = rect.x + ui.px(20);
  for (const figures::Figure& each : shown) {
    const Rect tab{x, rect.y, room.width_of(each), rect.height};
    if (button(ui, "tab/" + std::string(each.id), tab, each.title,
               {.look = Look::tab, .chosen = each.id == open}))
      open = std::string(each.id);
    x += tab.width + room.gap();
  }
  if (rest.empty()) return x - room.gap();
  // At the end of the row, whatever tabs there are.
  const double more = room.of_more();
  const Rect menu{rect.right() - ui.px(12) - more, rect.y + ui.px(4), more, rect.height - ui.px(8)};
  if (button(ui, "more figures", menu, "More", {.menu = true})) ImGui::OpenPopup("more figures menu");
  if (!begin_menu("more figures menu", menu)) return menu.right();
  if (const figures::Figure* chosen = draw_rest(ui, rest, open)) open = std::string(chosen->id);
  ImGui::EndPopup();
  return menu.right();
}

}  // namespace warplens::app
