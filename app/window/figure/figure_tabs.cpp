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
const figures::Figure* draw_rest(const Ui& ui, std::vector<figures::Figure>& rest) {
  std::ranges::stable_sort(rest, {}, group_of);
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
    if (menu_item(ui, std::string(figure.title))) chosen = &figure;
  }
  return chosen;
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

  const auto width_of = [&](const figures::Figure& tab) {
    return text_width(ui, tab.title, Type::strong) + ui.px(2);
  };
  const double gap = ui.px(22), more_width = ui.px(80);
  double needed = 0;
  for (const figures::Figure& tab : tabs) needed += width_of(tab) + gap;
  const double room = rect.width - ui.px(32);
  std::size_t shown = tabs.size();
  for (double used = needed; used > room - (shown < tabs.size() ? more_width : 0) && shown > 1;)
    used -= width_of(tabs[--shown]) + gap;
  // The open tab is always in sight, wide as it may be.
  const auto width_of_shown = [&] {
    double width = 0;
    for (std::size_t i = 0; i < shown; ++i) width += width_of(tabs[i]) + gap;
    return width;
  };
  for (std::size_t i = shown; i < tabs.size(); ++i) {
    if (tabs[i].id == open) std::swap(tabs[shown - 1], tabs[i]);
  }
  for (; shown < tabs.size() && shown > 1 && width_of_shown() > room - more_width; --shown)
    std::swap(tabs[shown - 2], tabs[shown - 1]);
  double x = rect.x + ui.px(20);
  for (std::size_t i = 0; i < shown; ++i) {
    const Rect tab{x, rect.y, width_of(tabs[i]), rect.height};
    if (button(ui, "tab/" + std::string(tabs[i].id), tab, tabs[i].title,
               {.look = Look::tab, .chosen = tabs[i].id == open}))
      open = std::string(tabs[i].id);
    x += tab.width + gap;
  }
  if (shown == tabs.size()) return x - gap;
  // At the end of the row, whatever tabs there are.
  const Rect rest{rect.right() - ui.px(12) - more_width, rect.y + ui.px(4), more_width,
                  rect.height - ui.px(8)};
  if (button(ui, "more figures", rest, "More", {.menu = true})) ImGui::OpenPopup("more figures menu");
  if (!begin_menu("more figures menu", rest)) return rest.right();
  std::vector<figures::Figure> others(tabs.begin() + static_cast<std::ptrdiff_t>(shown), tabs.end());
  if (const figures::Figure* chosen = draw_rest(ui, others)) open = std::string(chosen->id);
  ImGui::EndPopup();
  return rest.right();
}

}  // namespace warplens::app
