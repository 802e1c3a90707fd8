#include "app/window/actions/help_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/window/actions/shortcuts.hpp"
#include "app/window/kit/terms.hpp"

namespace warplens::app {
namespace {

constexpr double kRowHeight = 25, kGroupHeight = 40, kColumnWidth = 384, kLeastColumn = 320, kGap = 24,
                 kLeastKeys = 48, kTitleHeight = 36;
constexpr double kClosest = 0.76;

struct HelpGroup {
  std::string_view name;
  std::vector<const Action*> rows;  // those with keys
  double height() const { return kGroupHeight + kRowHeight * static_cast<double>(rows.size()); }
};

std::vector<HelpGroup> help_groups() {
  std::vector<HelpGroup> groups;
  for (const Action& action : actions()) {
    if (keys_of(action).empty() || title_of(action).empty()) continue;
    if (groups.empty() || groups.back().name != action.group) groups.push_back({action.group, {}});
    groups.back().rows.push_back(&action);
  }
  return groups;
}

// Groups into columns, in order, each as short as the highest one allows.
std::vector<std::vector<HelpGroup>> columns_of(const std::vector<HelpGroup>& groups, std::size_t count) {
  double all = 0, tallest = 0;
  for (const HelpGroup& group : groups) all += group.height(), tallest = std::max(tallest, group.height());
  for (double most = std::max(tallest, all / static_cast<double>(count));; most += kRowHeight) {
    std::vector<std::vector<HelpGroup>> columns(1);
    double height = 0;
    for (const HelpGroup& group : groups) {
      if (height > 0 && height + group.height() > most) columns.emplace_back(), height = 0;
      columns.back().push_back(group);
      height += group.height();
    }
    if (columns.size() <= count) return columns;
  }
}

double height_of(const std::vector<std::vector<HelpGroup>>& columns) {
  double most = 0;
  for (const auto& column : columns) {
    double height = 0;
    for (const HelpGroup& group : column) height += group.height();
    most = std::max(most, height);
  }
  return most;
}

// Each chord on a key of its own; answers their width. With draw = false it only measures.
double draw_keys(const Ui& ui, const Rect& rect, const Action& action, bool draw = true) {
  std::string left = keys_of(action, "\n");
  double x = rect.x;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string chord = left.substr(0, end);
    left.erase(0, end + 1);
    const double width = std::max<double>(text_width(ui, chord, Type::small_code) + ui.px(8), ui.px(22));
    const Rect key{x, rect.y + ui.px(2), width, rect.height - ui.px(4)};
    x = key.right() + ui.px(3);
    if (!draw) continue;
    fill(ui, key, Token::raised, 1, 4);
    frame(ui, key, Token::line, 1, 4);
    draw_text(ui, key, chord, {Type::small_code}, Align::center);
  }
  return x - rect.x;
}

// Before what the keys of a column do.
double keys_room(const Ui& ui, const std::vector<HelpGroup>& column) {
  double room = ui.px(kLeastKeys);
  for (const HelpGroup& group : column)
    for (const Action* action : group.rows) room = std::max(room, draw_keys(ui, {}, *action, false));
  return room + ui.px(8);
}

// close: how close rows stand, so that all of them fit on one page; 1: as designed.
void draw_group(const Ui& ui, double x, double y, double width, double keys, double close,
                const HelpGroup& group) {
  const double head = ui.px(kGroupHeight) * close, row = ui.px(kRowHeight) * close;
  draw_text(ui, {x, y + head * 0.2, width, head * 0.7}, group.name, {Type::strong, Token::accent});
  y += head;
  for (const Action* action : group.rows) {
    draw_keys(ui, {x, y, keys, row}, *action);
    const Rect room{x + keys, y, width - keys, row};
    const bool is_long = text_width(ui, title_of(*action), Type::body) > room.width;
    if (draw_text(ui, room, title_of(*action), {is_long ? Type::caption : Type::body, Token::dim}))
      ui.mark("help/cut " + std::string(action->id), room);
    y += row;
  }
}

// For those with no wheel at hand.
void scroll_by_keys(const Ui& ui) {
  using compat::Key;
  const float line = ui.px(kRowHeight), page = ImGui::GetWindowHeight() - ui.px(kGroupHeight);
  const float by = compat::pressed(Key::down)        ? line
                   : compat::pressed(Key::up)        ? -line
                   : compat::pressed(Key::page_down) ? page
                   : compat::pressed(Key::page_up)   ? -page
                                                     : 0;
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
}

// What was asked for to the middle of the sheet.
void scroll_to(const Rect& wanted, const Rect& sheet) {
  ImGui::SetScrollY(ImGui::GetScrollY() + static_cast<float>(wanted.center().y - sheet.center().y));
}

// What the sheet shows, and how it is closed.
void draw_tabs(const Ui& ui, const Rect& row, bool& has_words) {
  double x = row.x;
  const auto tab = [&](const char* name, bool words) {
    const Rect rect{x, row.y, text_width(ui, name, Type::strong) + ui.px(2), row.height};
    if (button(ui, std::string("help/") + name, rect, name,
               {.look = Look::tab, .chosen = has_words == words}))
      has_words = words;
    x = rect.right() + ui.px(20);
  };
  tab("Keys", false);
  tab("Words", true);
  draw_text(ui, row, "Esc closes this", {Type::caption, Token::dim}, Align::right);
}

void draw_columns(const Ui& ui, double x, double y, double wide, double close,
                  const std::vector<std::vector<HelpGroup>>& columns) {
  for (const auto& column : columns) {
    const double keys = keys_room(ui, column);
    double top = y;
    for (const HelpGroup& group : column) {
      draw_group(ui, x, top, wide, keys, close, group);
      top += ui.px(group.height()) * close;
    }
    x += wide + ui.px(kGap);
  }
}

}  // namespace

void draw_help_sheet(const Ui& ui, HelpSheet& sheet) {
  if (!sheet.is_open) return void(sheet.word.clear());
  if (!ImGui::IsPopupOpen("help")) ImGui::OpenPopup("help");
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const double room = window.x - ui.px(32 + kGap);
  const auto fit = static_cast<std::size_t>(room / ui.px(kLeastColumn + kGap));
  const auto columns = columns_of(help_groups(), std::clamp<std::size_t>(fit, 1, 3));
  const auto count = static_cast<double>(columns.size());
  const double wide = std::min<double>(ui.px(kColumnWidth), std::floor(room / count) - ui.px(kGap));
  const double width = count * (wide + ui.px(kGap)) + ui.px(kGap);
  const double most = window.y - ui.px(32), around = ui.px(kTitleHeight + 36);
  const double close = std::clamp((most - around) / ui.px(height_of(columns)), kClosest, 1.0);
  const double inner = width - ui.px(48);
  const int word_columns = static_cast<int>(columns.size());
  const double below = sheet.has_words ? draw_glossary(ui, {}, inner, word_columns, "", false).height
                                       : ui.px(height_of(columns)) * close;
  const double height = std::min<double>(below + around, most);
  const Rect box{std::floor((window.x - width) / 2), std::floor((window.y - height) / 2), width, height};
  ImGui::SetNextWindowPos(corner(box));
  ImGui::SetNextWindowSize(extent(box));
  if (!ImGui::BeginPopup("help", ImGuiWindowFlags_NoMove)) {
    sheet.is_open = false;
    return;
  }
  ui.mark("help", box);
  draw_veil(ui, box);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double x = box.x + ui.px(24), top = at.y + ui.px(kTitleHeight);
  draw_tabs(ui, {x, at.y, inner, ui.px(28)}, sheet.has_words);
  if (sheet.has_words) {
    const Glossary drawn = draw_glossary(ui, {x, top + ui.px(8)}, inner, word_columns, sheet.word);
    if (std::exchange(sheet.scrolls, false) && drawn.word) scroll_to(*drawn.word, box);
  } else {
    draw_columns(ui, x, top, wide, close, columns);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, static_cast<float>(below) + ui.px(kTitleHeight)});
  ui.mark("help/end", {x, top + below, inner, 1});
  scroll_by_keys(ui);
  const bool again = !ImGui::IsWindowAppearing() && (compat::pressed(compat::Key::f1) || compat::typed(U'?'));
  if (again || compat::pressed(compat::Key::escape)) {
    sheet.is_open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace warplens::app
