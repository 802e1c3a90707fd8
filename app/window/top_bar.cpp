#include "app/window/top_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "app/base/text_table.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/actions/shortcuts.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/from_right.hpp"
#include "app/window/kit/page.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/lesson/lesson_panel.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "engine/measured/recorded_speeds.hpp"

namespace warplens::app {
namespace {

// Places widgets from left to right.
struct Row {
  const Ui& ui;
  Rect rect;
  double x;
  Rect take(double width, double gap = 8) {
    const double height = ui.px(28);
    const Rect r{x, rect.y + (rect.height - height) / 2, ui.px(width), height};
    x += r.width + ui.px(gap);
    return r;
  }
};

void draw_ladder_menu(const Ui& ui, const Rect& rect) {
  if (ui.model.launch() != nullptr && ui.state().view.page != Page::program) {
    if (button(ui, "program/back", rect, "← Program", {.tip = "All launches of the program (F3, Esc)"}))
      ui.state().view.page = Page::program;
    return;
  }
  const bool own_file = ui.model.steps().empty();
  if (button(ui, "ladder", rect, own_file ? "Own file" : ladder_title(ui.model.ladder()), {.menu = true}))
    ImGui::OpenPopup("ladders");
  if (!begin_menu("ladders", rect)) return;
  for (const std::string& name : ui.model.ladders()) {
    if (menu_item(ui, ladder_title(name), {.chosen = name == ui.model.ladder()})) {
      if (!ui.page().has_runs()) ui.state().view.page = Page::ladder;
      ui.model.choose_ladder(name);
    }
  }
  ImGui::EndPopup();
}

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;

// What is typed is an int, and the largest one where it is more: no buffer has so many elements.
constexpr std::int64_t kTooLarge = std::numeric_limits<int>::max();

void set_size(const Ui& ui, const std::string& name, std::int64_t value, std::int64_t number) {
  if (number < 1)
    ui.wishes.say = fmt::format("{} stays {}: a size is 1 or more", name, value);
  else if (number >= kTooLarge)
    ui.wishes.say =
        fmt::format("{} stays {}: a size is below {}", name, value, grouped(std::uint64_t{kTooLarge}));
  else
    ui.model.set_size(name, number);
}

// A typed number waits in `typed` (0: none is) until Enter, or until the menu closes: 1024 is not first 1, 10 and
// 102, and sizes that are typed one after the other make one run. Returns whether Enter was pressed.
bool draw_size(const Ui& ui, const Rect& field, const std::string& name, std::int64_t value, int& typed) {
  ui.mark("size/" + name, field);
  int number = typed != 0 ? typed : static_cast<int>(std::min(value, kTooLarge));
  input_number(ui, field, "##" + name, number);
  const bool is_left = ImGui::IsItemDeactivatedAfterEdit(), can_be = number >= 1 && number < kTooLarge;
  if (is_left && !can_be) set_size(ui, name, value, number);  // says why not
  typed = number != value && (can_be || ImGui::IsItemActive()) ? number : 0;
  return is_left && compat::pressed(compat::Key::enter);
}

void set_typed(const Ui& ui, const Sizes& sizes, std::vector<int>& typed) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (typed[i] != 0) set_size(ui, sizes[i].first, sizes[i].second, std::exchange(typed[i], 0));
}

std::string all_sizes(const Ui& ui, const Sizes& sizes) {
  std::vector<std::string> names;
  for (const auto& [name, value] : sizes) names.push_back(name);
  return measured::long_size(ui.state().size, names);
}

// The same, or in short where that has no room.
std::string size_words(const Ui& ui, const Sizes& sizes, double width) {
  std::string all = all_sizes(ui, sizes);
  return text_width(ui, all, Type::strong) <= width - ui.px(kMenuArrowWidth)
             ? all
             : measured::short_size(ui.state().size);
}

// typed: of each field. While all sizes are one, what is typed into the first field is that of all.
void draw_size_fields(const Ui& ui, const Sizes& sizes, std::vector<int>& typed) {
  const double high = ui.px(32), label = ui.px(40), width = ui.px(150);
  const bool are_one =
      std::ranges::all_of(sizes, [&](const auto& size) { return size.second == sizes.front().second; });
  bool entered = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect row{at.x, at.y, label + width, high};
    draw_text(ui, {row.x, row.y, label, high}, sizes[i].first, {Type::strong, Token::dim});
    const int before = typed[i];
    entered |= draw_size(ui, {row.x + label, row.y, width, high}, sizes[i].first, sizes[i].second, typed[i]);
    if (i == 0 && are_one && typed[0] != before) std::ranges::fill(typed, typed[0]);
    ImGui::SetCursorScreenPos({at.x, static_cast<float>(row.bottom() + ui.px(6))});
    ImGui::Dummy({static_cast<float>(row.width), 1});
  }
  if (entered) set_typed(ui, sizes, typed);
  ImGui::Separator();
  const auto scaled = [&](const char* words, const char* mark, auto change) {
    if (!menu_item(ui, words, {.mark = mark})) return;
    std::ranges::fill(typed, 0);
    for (const auto& [name, value] : sizes) ui.model.set_size(name, std::max<std::int64_t>(1, change(value)));
  };
  scaled("Twice as large", "item/twice", [](std::int64_t value) { return 2 * value; });
  scaled("Half as large", "item/half", [](std::int64_t value) { return value / 2; });
}

void draw_size_menu(const Ui& ui, const Rect& rect, const Sizes& sizes) {
  std::string words = size_words(ui, sizes, rect.width);
  if (button(ui, "size", rect, words, {.look = Look::flat, .tip = "The size of the problem", .menu = true}))
    ImGui::OpenPopup("sizes");
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  std::vector<ImGuiID> ids;
  std::vector<int> typed;
  for (const auto& [name, value] : sizes) {
    ids.push_back(ImGui::GetID(("typed " + name).c_str()));
    typed.push_back(storage.GetInt(ids.back(), 0));
  }
  const bool open = begin_menu("sizes", rect);
  if (open) {
    draw_size_fields(ui, sizes, typed);
    ImGui::EndPopup();
  }
  if (!open) set_typed(ui, sizes, typed);
  for (std::size_t i = 0; i < sizes.size(); ++i) storage.SetInt(ids[i], typed[i]);
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
  for (const char* id : {"save svg", "save pdf", "save png", "save figure"}) action_item(ui, id);
  ImGui::Separator();
  for (const char* id : {"copy figure", "copy numbers", "copy words"}) action_item(ui, id);
  ImGui::Separator();
  action_item(ui, "save window");
}

// The button of the page in this row of page_rows().
void draw_page_button(const Ui& ui, std::size_t index, const Rect& rect) {
  const PageRow& row = page_rows()[index];
  const PageButton look = ui.pages[index]->button(ui);
  if (button(ui, row.id, rect, row.button,
             {.look = look.primary ? Look::primary : Look::flat,
              .enabled = look.enabled,
              .chosen = look.chosen,
              .tip = look.tip.empty() ? row.tip : std::string_view(look.tip)}))
    ui.pages[index]->toggle(ui);
}

// Files, and what else there is to open.
void draw_file_items(const Ui& ui) {
  for (const char* id : {"open file", "save state", "save state as", "open state"}) action_item(ui, id);
  ImGui::Separator();
  for (const Action& action : actions())
    if (action.page && page_rows()[*action.page].place == PageRow::Place::none)
      action_item(ui, action.id, ui.pages[*action.page]->is_open(ui.state().view));
  ImGui::Separator();
  for (const char* id : {"palette", "help", "quit"}) action_item(ui, id);
}

// How the window looks.
void draw_view_items(const Ui& ui) {
  const View& view = ui.state().view;
  action_item(ui, "source", view.source);
  action_item(ui, "details", view.details);
  ImGui::Separator();
  action_item(ui, "theme");
  action_item(ui, "larger text");
  action_item(ui, "smaller text");
  action_item(ui, "text as designed", view.text_scale == 1);
  ImGui::Separator();
  const figures::AccessOptions access = access_options(ui.state().drawing);
  using Colors = figures::AccessOptions::Colors;
  action_item(ui, "classic colors", access.colors == Colors::classic);
  action_item(ui, "colour-blind colors", access.colors == Colors::colour_blind);
  action_item(ui, "lane colors", access.colors == Colors::lanes);
  ImGui::Separator();
  action_item(ui, "whole", access.whole);
  action_item(ui, "motion", view.motion);
}

// A menu whose popup hangs under its button.
template <class Items>
void menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text, Items items) {
  const std::string popup = std::string(name) + " menu";
  if (button(ui, name, rect, text, {.look = Look::flat, .menu = true})) ImGui::OpenPopup(popup.c_str());
  if (!begin_menu(popup.c_str(), rect)) return;
  items();
  ImGui::EndPopup();
}

// Returns where it begins.
double draw_right(const Ui& ui, const Rect& rect) {
  FromRight row(ui, rect, 28, 6);
  if (button(ui, "help button", row.take(32), "?",
             {.look = Look::flat, .tip = "Help: what the words mean, and all keys (F1)"}))
    ui.wishes.help = true, ui.wishes.help_words = "";
  if (button(ui, "stage button", row.take(72), "Stage",
             {.look = Look::primary, .tip = "One picture for a class (P)"}))
    perform(ui, *find_action("presenter"));
  menu(ui, "export", row.take(92), "Export", [&] { draw_export_items(ui); });
  for (std::size_t i = page_rows().size(); i-- > 0;)
    if (page_rows()[i].place == PageRow::Place::right)
      draw_page_button(ui, i, row.take(page_rows()[i].width));
  return row.right() + ui.px(6);
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
  Row row{ui, rect, rect.x + ui.px(12)};
  menu(ui, "file", row.take(66, 2), "File", [&] { draw_file_items(ui); });
  menu(ui, "view", row.take(70, 2), "View", [&] { draw_view_items(ui); });
  menu(ui, "lessons", row.take(100), "Lessons", [&] { LessonPanel::draw_menu_items(ui); });
  draw_ladder_menu(ui, row.take(124));
  // An index that is typed has no size, and nothing runs.
  const bool runs = ui.page().has_runs();
  const double right = draw_right(ui, rect);
  // On the ladder these stand beside the speed.
  const bool has_run = runs && ui.state().view.page != Page::ladder;
  double beside = has_run ? kRunWidth + 2 * 8 : 0;
  for (const PageRow& page : page_rows())
    if (has_run && page.place == PageRow::Place::beside_run) beside += page.width + 8;
  if (const Sizes sizes = ui.model.sizes(); runs && !sizes.empty()) {
    const double most = (right - row.x) / ui.scale - beside - kLeastDevice - 16;
    const double wanted =
        text_width(ui, all_sizes(ui, sizes), Type::strong) / ui.scale + kMenuArrowWidth + 16;
    draw_size_menu(ui, row.take(std::min(wanted, std::max(most, 80.0)), 4), sizes);
  }
  const double room = (right - row.x) / ui.scale - beside - 8;
  const double name =
      text_width(ui, short_name(ui.model.device()), Type::strong) / ui.scale + kMenuArrowWidth + 16;
  draw_engine_menu(ui, row.take(std::clamp(std::min(room, name), kLeastDevice, 264.0)));
  if (!has_run) return;
  draw_run(ui, row);
  for (std::size_t i = 0; i < page_rows().size(); ++i)
    if (page_rows()[i].place == PageRow::Place::beside_run)
      draw_page_button(ui, i, row.take(page_rows()[i].width));
}

}  // namespace warplens::app
