// Ladder, sizes, device, Run and Live on the left; theme, presenter mode and the export menu on the right.
#include <fmt/format.h>

#include <algorithm>

#include "app/text_table.hpp"
#include "app/window/actions/shortcuts.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/live/live_panel.hpp"
#include "app/window/panels.hpp"
#include "app/window/tools.hpp"
#include "engine/measured/recorded_speeds.hpp"

namespace warplens::app {
namespace {

// Places widgets from left to right.
struct Row {
  const Ui& ui;
  Rect rect;
  double x;
  Rect take(double width, double gap = 8) {
    const double height = ui.px(32);
    const Rect r{x, rect.y + (rect.height - height) / 2, ui.px(width), height};
    x += r.width + ui.px(gap);
    return r;
  }
};

}  // namespace

void draw_ladder_menu(const Ui& ui, const Rect& rect) {
  const bool own_file = ui.model.steps().empty();
  if (button(ui, "ladder", rect, own_file ? "Own file" : ladder_title(ui.model.ladder()), {.menu = true}))
    ImGui::OpenPopup("ladders");
  if (!begin_menu("ladders", rect)) return;
  for (const std::string& name : ui.model.ladders()) {
    if (ImGui::MenuItem(ladder_title(name).c_str(), nullptr, name == ui.model.ladder())) {
      if (ui.state().view.page == Page::playground) ui.state().view.page = Page::ladder;
      ui.model.choose_ladder(name);
    }
  }
  ImGui::EndPopup();
}

void draw_size(const Ui& ui, const Rect& field, const std::string& name, std::int64_t value) {
  ui.mark("size/" + name, field);
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID typed = ImGui::GetID(("typed " + name).c_str());
  int number = storage.GetInt(typed, 0);
  if (number == 0) number = static_cast<int>(std::min<std::int64_t>(value, 1 << 30));
  input_number(ui, field, "##" + name, number);
  storage.SetInt(typed, ImGui::IsItemActive() ? number : 0);
  if (ImGui::IsItemDeactivatedAfterEdit()) ui.model.set_size(name, number);
  if (!ImGui::IsItemActive()) tooltip(ui, "Size " + name + " of the problem, 1 and up");
}

namespace {

// The fields side by side in a popup.
void draw_size_row(const Ui& ui) {
  constexpr double label = 20, field = 76, gap = 10, height = 32;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  double x = at.x;
  for (const auto& [name, value] : ui.model.sizes()) {
    draw_text(ui, {x, at.y, ui.px(label), ui.px(height)}, name, {Type::body, Token::dim}, Align::center);
    draw_size(ui, {x + ui.px(label), at.y, ui.px(field), ui.px(height)}, name, value);
    x += ui.px(label + field + gap);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({static_cast<float>(x - at.x) - ui.px(gap), ui.px(height)});
}

}  // namespace

void draw_sizes_menu(const Ui& ui, const Rect& rect) {
  const auto sizes = ui.model.sizes();
  const bool same = std::all_of(sizes.begin(), sizes.end(),
                                [&](const auto& size) { return size.second == sizes.front().second; });
  std::string all;
  for (const auto& [name, value] : sizes)
    all +=
        fmt::format("{}{} = {}", all.empty() ? "" : ", ", name, grouped(static_cast<std::uint64_t>(value)));
  const std::string one = fmt::format("Size {}", sizes.front().second);
  const bool fits = text_width(ui, one, Type::strong) <= rect.width - ui.px(menu_arrow_width);
  const std::string text = same && fits ? one : sizes.size() > 1 ? "Sizes" : "Size";
  if (button(ui, "sizes", rect, text, {.tip = all, .menu = true})) ImGui::OpenPopup("sizes");
  if (!begin_menu("sizes", rect)) return;
  draw_size_row(ui);
  ImGui::EndPopup();
}

namespace {

std::string short_name(const device::Device& device) {
  return device.sm_count > 0 && device.name.starts_with("NVIDIA ") ? device.name.substr(7) : device.name;
}

void draw_gpu_items(const Ui& ui, std::string_view name) {
  const GpuRuns& gpus = ui.model.gpus();
  if (gpus.is_looking()) ImGui::MenuItem("Looking for a GPU…", nullptr, false, false);
  if (!gpus.note().empty()) ImGui::MenuItem("No GPU, so kernels run on the emulator", nullptr, false, false);
  for (const gpu::GpuDevice& device : gpus.devices()) {
    const bool chosen = ui.state().engine == Engine::gpu && ui.state().gpu == device.index;
    const std::string line = fmt::format("GPU {} · {}##gpu{}", device.index, device.name, device.index);
    const bool clicked = ImGui::MenuItem(line.c_str(), nullptr, chosen);
    ui.mark(fmt::format("{}/gpu{}", name, device.index),
            rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
    if (clicked) ui.model.choose_gpu(device.index);
  }
  ImGui::Separator();
}

// Its compute capability stands at the right.
void draw_device_item(const Ui& ui, std::string_view name, const device::Device& device) {
  const bool chosen = device.id == ui.model.device().id;
  const std::string line = fmt::format("{}##{}", short_name(device), device.id);
  const std::string capability =
      fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10);
  const bool clicked = ImGui::MenuItem(line.c_str(), capability.c_str(), chosen);
  ui.mark(fmt::format("{}/{}", name, device.id), rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  if (clicked) ui.model.choose_device(device.id);
}

}  // namespace

void draw_device_menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
                      std::string_view tip, bool with_gpus) {
  const std::string popup = std::string(name) + " menu";
  if (button(ui, name, rect, text, {.tip = tip, .menu = true})) ImGui::OpenPopup(popup.c_str());
  if (!begin_menu(popup.c_str(), rect)) return;
  if (with_gpus) draw_gpu_items(ui, name);
  // Chips that were built, the newest first; then what is only the rules of a compute capability.
  const auto& devices = ui.model.devices();
  ImGui::TextDisabled("Chips");
  for (auto chip = devices.rbegin(); chip != devices.rend(); ++chip)
    if (chip->sm_count > 0) draw_device_item(ui, name, *chip);
  ImGui::Separator();
  ImGui::TextDisabled("Compute capabilities");
  for (const device::Device& rules : devices)
    if (rules.sm_count <= 0) draw_device_item(ui, name, rules);
  ImGui::EndPopup();
}

namespace {

void draw_run(const Ui& ui, Row& row) {
  const auto busy = ui.model.busy_seconds();
  if (busy && *busy > patience) {
    // In the room of Run, so that nothing beside it moves.
    const Rect rect = row.take(92);
    const double turn = ui.px(24);
    if (button(ui, "run", {rect.x, rect.y, rect.width - turn, rect.height}, "Cancel",
               {.tip = "Stop this run (Esc)"}))
      ui.model.cancel();
    spinner(ui, {static_cast<float>(rect.right() - turn / 3), static_cast<float>(rect.center().y)}, ui.px(8));
  } else if (button(ui, "run", row.take(92), "Run",
                    {.look = Look::primary, .icon = Icon::run, .tip = "Run this kernel again (F5)"})) {
    find_action("run")->act(ui);
  }
}

void draw_export_items(const Ui& ui) {
  for (const char* id : {"save figure", "save png"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"copy figure", "copy numbers"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"save window", "save state", "open state"}) action_item(ui, id);
}

// Design pixels of the window from which on there is room for every button.
constexpr double wide_room = 1440;

void draw_page_button(const Ui& ui, std::string_view id, std::string_view text, const Rect& rect, Page page,
                      std::string_view tip) {
  if (button(ui, id, rect, text, {.chosen = ui.state().view.page == page, .tip = tip}))
    find_action(id)->act(ui);
}

void draw_view_items(const Ui& ui) {
  const View& view = ui.state().view;
  action_item(ui, "compare", view.page == Page::compare);
  action_item(ui, "playground", view.page == Page::playground);
  ImGui::Separator();
  action_item(ui, "theme");
  action_item(ui, "presenter", view.presenter);
  action_item(ui, "larger text");
  action_item(ui, "smaller text");
  action_item(ui, "text as designed", view.text_scale == 1);
  ImGui::Separator();
  const figures::AccessOptions access = access_options(ui.state().drawing);
  using Colors = figures::AccessOptions::Colors;
  action_item(ui, "classic colors", access.colors == Colors::classic);
  action_item(ui, "colour-blind colors", access.colors == Colors::colour_blind);
  action_item(ui, "lane colors", access.colors == Colors::lanes);
  action_item(ui, "whole", access.whole);
  ImGui::Separator();
  action_item(ui, "palette");
  action_item(ui, "help");
}

constexpr double least_device = 96;
// From here on there is room for every menu beside three sizes.
constexpr double every_menu_room = 1216;

// A menu whose popup hangs under its button.
template <class Items>
void menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text, Items items) {
  const std::string popup = std::string(name) + " menu";
  if (button(ui, name, rect, text, {.menu = true})) ImGui::OpenPopup(popup.c_str());
  if (!begin_menu(popup.c_str(), rect)) return;
  items();
  ImGui::EndPopup();
}

}  // namespace

namespace {

// What the comparison's own bar has no room for.
void draw_compare_items(const Ui& ui) {
  Pace& pace = ui.state().compare.pace;
  const auto item = [&](const char* name, const char* text, bool chosen) {
    const bool clicked = ImGui::MenuItem(text, nullptr, chosen);
    ui.mark(name, rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
    return clicked;
  };
  if (item("item/same share", "Same share of the accesses", pace == Pace::share)) pace = Pace::share;
  if (item("item/same access", "Same access number", pace == Pace::number)) pace = Pace::number;
  if (item("item/swap", "Swap the sides", false)) ui.tools.comparison.swap_sides();
  ImGui::Separator();
}

}  // namespace

void draw_whole_menu(const Ui& ui, const Rect& rect) {
  menu(ui, "menu", rect, "Menu", [&] {
    const Page page = ui.state().view.page;
    if (page == Page::compare && is_low(ui)) {  // the page has no bar with them
      draw_size_row(ui);
      ImGui::Separator();
    }
    if (page == Page::compare) draw_compare_items(ui);
    if (page != Page::playground) {
      action_item(ui, "run");
      draw_live_item(ui);
      ImGui::Separator();
    }
    draw_view_items(ui);
    ImGui::Separator();
    draw_export_items(ui);
  });
}

namespace {

void draw_right(const Ui& ui, const Rect& rect, bool narrow) {
  View& view = ui.state().view;
  const double height = ui.px(32), y = rect.y + (rect.height - height) / 2;
  double right = rect.right() - ui.px(12);
  const auto take = [&](double width) {
    right -= ui.px(width);
    const Rect r{right, y, ui.px(width), height};
    right -= ui.px(8);
    return r;
  };
  if (narrow) return draw_whole_menu(ui, take(86));
  menu(ui, "export", take(104), "Export…", [&] { draw_export_items(ui); });
  // What has a key and a place in the menu too gives way to the pages.
  const bool wide = rect.width / ui.scale >= wide_room;
  if (wide && button(ui, "present", take(84), "Present",
                     {.chosen = view.presenter, .tip = "Larger type for a projector (P)"}))
    view.presenter = !view.presenter;
  menu(ui, "view", take(80), "View", [&] { draw_view_items(ui); });
  if (wide && button(ui, "theme", take(72), view.dark ? "Light" : "Dark", {.tip = "Change the theme (T)"}))
    view.dark = !view.dark;
  draw_page_button(ui, "playground", "Playground", take(104), Page::playground,
                   "Type an index and see its sectors and banks (G)");
  draw_page_button(ui, "compare", "Compare", take(84), Page::compare, "Two steps side by side (C)");
}

// "GTX 480" of "GeForce GTX 480"; "GF100" of "Fermi (GF100)", which are rules of several chips.
std::string own_name(const std::string& device) {
  const std::size_t open = device.find(" (");
  if (open != std::string::npos && open == device.find(' '))
    return device.substr(open + 2, device.size() - open - 3);
  return std::string(measured::without_brand(device));
}

}  // namespace

void draw_engine_menu(const Ui& ui, const Rect& rect) {
  const bool on_gpu = ui.state().engine == Engine::gpu && !ui.model.gpus().devices().empty();
  const std::string device = short_name(ui.model.device());
  const std::string rules = fmt::format("{} · {} rules", on_gpu ? "GPU" : "Emulator", device);
  const auto fits = [&](const std::string& text) {
    return text_width(ui, text, Type::strong) <= rect.width - ui.px(menu_arrow_width);
  };
  // "Tesla V100 SXM2" where there is room for it, else "V100 SXM2", else "V100".
  const std::string own = own_name(device);
  const std::string shown = fits(rules)    ? rules
                            : fits(device) ? device
                            : fits(own)    ? own
                                           : own.substr(0, own.find(' ', own.find_first_of("0123456789")));
  draw_device_menu(
      ui, "device", rect, shown,
      rules + (on_gpu ? ": the GPU verifies and times the kernel, the emulator counts its accesses"
                      : ": the kernel runs on this computer, and memory is counted as this chip counts it"),
      true);
}

void draw_top_bar(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
  const double room = rect.width / ui.scale;
  const bool narrow = room < every_menu_room;
  Row row{ui, rect, rect.x + ui.px(16)};
  if (room >= 900) draw_text(ui, row.take(104), "warplens", {Type::strong});
  draw_ladder_menu(ui, row.take(narrow ? 112 : 124, 14));
  const double field = room < 900 ? 48 : 58;
  // An index that is typed has no size, and nothing runs.
  const bool runs = ui.state().view.page != Page::playground;
  const auto sizes = runs ? ui.model.sizes() : decltype(ui.model.sizes()){};
  for (const auto& [name, value] : sizes) {
    const double digits = text_width(ui, std::to_string(value), Type::strong) / ui.scale + 20;
    draw_text(ui, row.take(16, 4), name, {Type::body, Token::dim}, Align::center);
    draw_size(ui, row.take(std::max(field, std::min(digits, 112.0)), 10), name, value);
  }
  const double left_for_device =
      (rect.right() - row.x) / ui.scale - (narrow ? 92 + 8 + 86 + 20 + 32 + (room >= 900 ? 68 : 0)
                                           : room >= wide_room ? 560 + 92 + 72 + 56
                                                               : 388 + 92 + 72 + 56);
  draw_engine_menu(ui, row.take(std::clamp(left_for_device, least_device, 264.0)));
  if (runs) draw_run(ui, row);
  if (runs && room >= 900) draw_live_button(ui, row.take(60));
  draw_right(ui, rect, narrow);
}

}  // namespace warplens::app
