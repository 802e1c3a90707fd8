#include "app/window/pages/ladder/step_rows.hpp"

#include <algorithm>

#include "app/window/pages/ladder/ladder_panels.hpp"

namespace warplens::app {
namespace {

// Design pixels.
constexpr double kStepHeight = 38;     // with one line of a title
constexpr double kSpeedsBeside = 240;  // the title, where the list is so wide
constexpr double kScrollbar = 8;

std::vector<std::string> in_lines(const Ui& ui, const std::string& title, double width, Type type) {
  std::vector<std::string> lines;
  const char *cursor = title.data(), *const end = cursor + title.size();
  while (cursor < end) {
    const char* const stop = line_end(ui.font(type), cursor, end, static_cast<float>(width));
    const std::string line(cursor, stop);
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
    for (cursor = stop; cursor < end && *cursor == ' ';) ++cursor;
  }
  return lines;
}

StepColumns columns_of(const Ui& ui, double width) {
  const bool is_narrow = width < ui.px(kNarrowColumn);
  StepColumns columns{.margin = ui.px(is_narrow ? 4 : 8),
                      .number = ui.px(is_narrow ? 19 : 22),
                      .title = ui.px(is_narrow ? 24 : 27),
                      .has_speeds_beside = width >= ui.px(kSpeedsBeside)};
  columns.width = width - 2 * columns.margin - ui.px(kScrollbar);
  columns.title_width =
      columns.width - columns.title - ui.px(columns.has_speeds_beside ? 8 + kSpeedWidth : 2);
  return columns;
}

}  // namespace

double StepRows::whole_rows(double most) const {
  const auto beyond = std::ranges::upper_bound(tops, std::max(0.0, most));
  return std::max(*(beyond - 1), tops[1]);
}

StepRows step_rows(const Ui& ui, const std::vector<const catalog::KernelSpec*>& steps, double width) {
  StepRows rows{.columns = columns_of(ui, width)};
  const double room = rows.columns.title_width;
  if (std::ranges::any_of(steps,
                          [&](const auto* step) { return text_width(ui, step->title, Type::strong) > room; }))
    rows.type = Type::caption;
  double top = 0;
  for (const auto* step : steps) {
    rows.titles.push_back(in_lines(ui, step->title, room, rows.type));
    rows.tops.push_back(top);
    const double more = std::max(0.0, static_cast<double>(rows.titles.back().size()) - 1);
    top += ui.px(kStepHeight + more * kTitleLine);
  }
  rows.tops.push_back(top);
  return rows;
}

}  // namespace warplens::app
