#include "app/window/help_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/window/shortcuts.hpp"
#include "app/window/widgets.hpp"

namespace warplens::app {
namespace {

constexpr double row_height = 25, group_height = 40, column_width = 372, keys_width = 128;

struct HelpGroup {
  std::string_view name;
  std::vector<const Action*> rows;  // those with keys
  double height() const { return group_height + row_height * static_cast<double>(rows.size()); }
};

std::vector<HelpGroup> help_groups() {
  std::vector<HelpGroup> groups;
  for (const Action& action : actions()) {
    if (keys_of(action).empty()) continue;
    if (groups.empty() || groups.back().name != action.group) groups.push_back({action.group, {}});
    groups.back().rows.push_back(&action);
  }
  return groups;
}

// Groups into columns, in order, each as short as the highest one allows.
std::vector<std::vector<HelpGroup>> columns_of(const std::vector<HelpGroup>& groups, std::size_t count) {
  double all = 0, tallest = 0;
  for (const HelpGroup& group : groups) all += group.height(), tallest = std::max(tallest, group.height());
  for (double most = std::max(tallest, all / static_cast<double>(count));; most += row_height) {
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

void draw_group(const Ui& ui, double x, double y, double width, const HelpGroup& group) {
  draw_text(ui, {x, y + ui.px(8), width, ui.px(28)}, group.name, {Type::strong, Token::accent});
  y += ui.px(group_height);
  for (const Action* action : group.rows) {
    draw_text(ui, {x, y, ui.px(keys_width), ui.px(row_height)}, keys_of(*action), {Type::small_code});
    draw_text(ui, {x + ui.px(keys_width + 8), y, width - ui.px(keys_width + 8), ui.px(row_height)},
              action->title, {Type::body, Token::dim});
    y += ui.px(row_height);
  }
}

}  // namespace

void draw_help_sheet(const Ui& ui, bool& open) {
  if (!open) return;
  if (!ImGui::IsPopupOpen("help")) ImGui::OpenPopup("help");
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const auto fit = static_cast<std::size_t>((window.x - ui.px(80)) / ui.px(column_width + 24));
  const auto columns = columns_of(help_groups(), std::clamp<std::size_t>(fit, 1, 3));
  const double wide = std::min<double>(ui.px(column_width), window.x - ui.px(80));
  const double width = static_cast<double>(columns.size()) * (wide + ui.px(24)) + ui.px(24);
  const double height = std::min<double>(ui.px(height_of(columns) + 36), window.y - ui.px(32));
  const Rect box{std::floor((window.x - width) / 2), std::floor((window.y - height) / 2), width, height};
  ImGui::SetNextWindowPos(corner(box));
  ImGui::SetNextWindowSize(extent(box));
  if (!ImGui::BeginPopup("help", ImGuiWindowFlags_NoMove)) {
    open = false;
    return;
  }
  ui.mark("help", box);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  double x = box.x + ui.px(24);
  for (const auto& column : columns) {
    double y = at.y;
    for (const HelpGroup& group : column) {
      draw_group(ui, x, y, wide, group);
      y += ui.px(group.height());
    }
    x += wide + ui.px(24);
  }
  ImGui::Dummy({1, ui.px(height_of(columns))});
  const bool again = !ImGui::IsWindowAppearing() && (compat::pressed(compat::Key::f1) || compat::typed(U'?'));
  if (again || compat::pressed(compat::Key::escape)) {
    open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace warplens::app
