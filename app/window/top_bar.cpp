#include "app/window/top_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/text_table.hpp"
#include "app/window/actions/shortcuts.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/from_right.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/lesson/lesson_panel.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/pages.hpp"
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

void draw_ladder_menu(const Ui& ui, const Rect& rect) {
  const bool own_file = ui.model.steps().empty();
  if (button(ui, "ladder", rect, own_file ? "Own file" : ladder_title(ui.model.ladder()), {.menu = true}))
    ImGui::OpenPopup("ladders");
  if (!begin_menu("ladders", rect)) return;
  for (const std::string& name : ui.model.ladders()) {
    if (ImGui::MenuItem(ladder_title(name).c_str(), nullptr, name == ui.model.ladder())) {
      if (!ui.page().has_runs()) ui.state().view.page = Page::ladder;
      ui.model.choose_ladder(name);
    }
  }
  ImGui::EndPopup();
}

// A size's field. The typed number takes effect when the field is left, so that 1024 is not first 1, 10 and
// 102.
void draw_size(const Ui& ui, const Rect& field, const std::string& name, std::int64_t value) {
  ui.mark("size/" + name, field);
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID typed = ImGui::GetID(("typed " + name).c_str());
  int number = storage.GetInt(typed, 0);
  if (number == 0) number = static_cast<int>(std::min<std::int64_t>(value, 1 << 30));
  input_number(ui, field, "##" + name, number);
  storage.SetInt(typed, ImGui::IsItemActive() ? number : 0);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    if (number < 1) ui.wishes.say = fmt::format("{} stays {}: a size is 1 or more", name, value);
    ui.model.set_size(name, number);
  }
  if (!ImGui::IsItemActive()) tooltip(ui, "Size " + name + " of the problem, 1 and up");
}

constexpr double kLeastDevice = 96, kRunWidth = 92;

void draw_run(const Ui& ui, Row& row) {
  const auto busy = ui.model.busy_seconds();
  if (busy && *busy > kBusyAfter) {
    // In the room of Run, so that nothing beside it moves.
    const Rect rect = row.take(kRunWidth);
    const double turn = ui.px(24);
    if (button(ui, "run", {rect.x, rect.y, rect.width - turn, rect.height}, "Cancel",
               {.tip = "Stop this run (Esc)"}))
      ui.model.cancel();
    spinner(ui, {static_cast<float>(rect.right() - turn / 3), static_cast<float>(rect.center().y)}, ui.px(8));
  } else if (button(ui, "run", row.take(kRunWidth), "Run",
                    {.look = Look::primary, .icon = Icon::run, .tip = "Run this kernel again (F5)"})) {
    perform(ui, *find_action("run"));
  }
}

void draw_export_items(const Ui& ui) {
  for (const char* id : {"save figure", "save png"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"copy figure", "copy numbers"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"save window", "save state", "save state as", "open state", "open file"})
    action_item(ui, id);
}

// Design pixels of the window from which on there is room for every button but the theme's.
constexpr double kWideRoom = 1440, kRoomForTheme = 1680;

// The button of the page in this row of page_rows().
void draw_page_button(const Ui& ui, std::size_t index, const Rect& rect) {
  const PageRow& row = page_rows()[index];
  const PageButton look = ui.pages[index]->button(ui);
  if (button(ui, row.id, rect, row.button,
             {.look = look.primary ? Look::primary : Look::plain,
              .enabled = look.enabled,
              .chosen = look.chosen,
              .tip = look.tip.empty() ? row.tip : std::string_view(look.tip)}))
    ui.pages[index]->toggle(ui);
}

void draw_view_items(const Ui& ui) {
  const View& view = ui.state().view;
  for (const Action& action : actions())
    if (action.page) action_item(ui, action.id, ui.pages[*action.page]->is_open(view));
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
  action_item(ui, "motion", view.motion);
  ImGui::Separator();
  action_item(ui, "palette");
  action_item(ui, "help");
}

// A menu whose popup hangs under its button.
template <class Items>
void menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text, Items items) {
  const std::string popup = std::string(name) + " menu";
  if (button(ui, name, rect, text, {.menu = true})) ImGui::OpenPopup(popup.c_str());
  if (!begin_menu(popup.c_str(), rect)) return;
  items();
  ImGui::EndPopup();
}

// Returns where it begins.
double draw_right(const Ui& ui, const Rect& rect) {
  View& view = ui.state().view;
  FromRight row(ui, rect, 32, 8);
  const bool wide = rect.width / ui.scale >= kWideRoom;
  if (button(ui, "help button", row.take(wide ? 60 : 32), wide ? "Help" : "?",
             {.tip = "Help: what the words mean, and all keys (F1)"}))
    ui.wishes.help = ui.wishes.help_words = true;
  menu(ui, "export", row.take(104), "Export…", [&] { draw_export_items(ui); });
  // What has a key and a place in the menu too gives way to the pages.
  if (wide && button(ui, "present", row.take(84), "Present",
                     {.chosen = view.presenter, .tip = "One picture for a class (P)"}))
    perform(ui, *find_action("presenter"));
  menu(ui, "view", row.take(80), "View", [&] { draw_view_items(ui); });
  if (rect.width / ui.scale >= kRoomForTheme &&
      button(ui, "theme", row.take(72), view.dark ? "Light" : "Dark", {.tip = "Change the theme (T)"}))
    view.dark = !view.dark;
  for (std::size_t i = page_rows().size(); i-- > 0;)
    if (page_rows()[i].place == PageRow::Place::right && rect.width >= ui.px(page_rows()[i].least_window))
      draw_page_button(ui, i, row.take(page_rows()[i].width));
  return row.right() + ui.px(8);
}

// "GTX 480" of "GeForce GTX 480"; "GF100" of "Fermi (GF100)", which are rules of several devices.
std::string own_name(const std::string& device) {
  const std::size_t open = device.find(" (");
  if (open != std::string::npos && open == device.find(' '))
    return device.substr(open + 2, device.size() - open - 3);
  return std::string(measured::without_brand(device));
}

// That menu: the emulator's rules, or a GPU.
void draw_engine_menu(const Ui& ui, const Rect& rect) {
  const bool on_gpu = ui.state().engine == Engine::gpu && !ui.model.gpus().devices().empty();
  const std::string device = short_name(ui.model.device());
  const std::string rules = fmt::format("{} · {} rules", on_gpu ? "GPU" : "Emulator", device);
  const auto fits = [&](const std::string& text) {
    return text_width(ui, text, Type::strong) <= rect.width - ui.px(kMenuArrowWidth);
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
                      : ": the kernel runs on this computer, and memory is counted as this device counts it"),
      true);
}

}  // namespace

void draw_top_bar(const Ui& ui, const Rect& rect) {
  fill(ui, rect, Token::panel);
  rule(ui, rect.x, rect.bottom() - 1, rect.right(), rect.bottom() - 1);
  Row row{ui, rect, rect.x + ui.px(16)};
  if (rect.width / ui.scale >= kWideRoom &&
      button(ui, "start", row.take(88), "warplens",
             {.look = Look::tab, .tip = "Lessons, ladders and words to start with"}))
    ui.state().view.page = Page::start;
  menu(ui, "lessons", row.take(104), "Lessons", [&] { LessonPanel::draw_menu_items(ui); });
  draw_ladder_menu(ui, row.take(124, 14));
  // An index that is typed has no size, and nothing runs.
  const bool runs = ui.page().has_runs();
  const auto sizes = runs ? ui.model.sizes() : decltype(ui.model.sizes()){};
  for (const auto& [name, value] : sizes) {
    const double digits =
        text_width(ui, grouped(static_cast<std::uint64_t>(value)), Type::strong) / ui.scale + 20;
    const double label = std::max(16.0, std::ceil(text_width(ui, name, Type::body) / ui.scale) + 2);
    draw_text(ui, row.take(label, 4), name, {Type::body, Token::dim}, Align::center);
    draw_size(ui, row.take(std::clamp(digits, 58.0, 112.0), 10), name, value);
  }
  // Between them: what runs the kernel, Run, and the pages beside it.
  double beside = kRunWidth + 2 * 8 + 32;
  for (const PageRow& page : page_rows())
    if (page.place == PageRow::Place::beside_run) beside += page.width;
  const double room = (draw_right(ui, rect) - row.x) / ui.scale - beside;
  draw_engine_menu(ui, row.take(std::clamp(room, kLeastDevice, 264.0)));
  if (!runs) return;
  draw_run(ui, row);
  for (std::size_t i = 0; i < page_rows().size(); ++i)
    if (page_rows()[i].place == PageRow::Place::beside_run)
      draw_page_button(ui, i, row.take(page_rows()[i].width));
}

}  // namespace warplens::app
