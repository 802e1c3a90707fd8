#include "viz/figures/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warplens::figures {
namespace {

struct Column {
  std::string title;
  double (*share)(const report::LineRow&);
  std::string (*value)(const report::LineRow&);
  Color color;
};

std::string short_number(std::uint64_t n) {
  if (n < 10'000) return grouped(n);
  if (n < 10'000'000) return fmt::format("{:.4g} k", static_cast<double>(n) / 1e3);
  return fmt::format("{:.4g} M", static_cast<double>(n) / 1e6);
}
std::string sectors(const report::LineRow& row) {
  return row.traffic.global.requests == 0 ? "" : short_number(row.traffic.global.cost);
}
std::string requests(const report::LineRow& row) {
  const auto n = row.traffic.global.requests + row.traffic.shared.requests;
  return n == 0 ? "" : short_number(n);
}
std::string wavefronts(const report::LineRow& row) {
  return row.traffic.shared.requests == 0 ? "" : short_number(row.traffic.shared.cost);
}
std::string share(const report::LineRow& row) {
  return row.executed == 0 ? "" : fmt::format("{:.1f} %", row.executed_share * 100);
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"requests", [](const report::LineRow&) { return 0.0; }, requests, Token::dim},
      {"sectors", [](const report::LineRow& r) { return r.sector_share; }, sectors, Token::costly},
      {"wavefronts", [](const report::LineRow& r) { return r.wavefront_share; }, wavefronts,
       Token::first_warp},
      {"instructions", [](const report::LineRow& r) { return r.executed_share; }, share, Token::good}};
  return all;
}

std::vector<std::string> source_lines(const std::string& code) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    lines.push_back(code.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The first line behind the front matter, from 1.
int first_code_line(const std::vector<std::string>& lines) {
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (lines[l].starts_with("---*/")) {
      std::size_t next = l + 1;
      while (next + 1 < lines.size() && lines[next].empty()) ++next;
      return static_cast<int>(next) + 1;
    }
  return 1;
}

struct Place {
  int first = 1, last = 1;
  double step = 20;
};
Place lines_shown(const std::vector<std::string>& lines, int current, double height) {
  const int start = first_code_line(lines), end = static_cast<int>(lines.size());
  const double step = std::clamp(height / std::max(end - start + 1, 1), 17.0, 24.0);
  const int room = std::max(static_cast<int>(height / step), 1);
  if (end - start + 1 <= room) return {start, end, step};
  const int first = std::clamp(current - room / 2, start, end - room + 1);
  return {first, first + room - 1, step};
}

void draw_counters(Group& group, const report::LineRow& row, double left, double width, double middle,
                   double step) {
  for (const Column& column : columns()) {
    const double share = column.share(row);
    if (share > 0)
      group.rect({left + (width - 10) * (1 - share), middle - step / 2 + 2, (width - 10) * share, step - 4},
                 {.fill = Color(column.color.token, 0.35)}, 2);
    group.text({left + width - 16, middle}, column.value(row),
               {.size = 12,
                .color = Token::text,
                .family = scene::Family::code,
                .anchor = scene::Anchor::end,
                .baseline = scene::Baseline::middle,
                .max_width = width - 12});
    left += width;
  }
}

std::string scope_text(const RunView& run) {
  if (run.sampled_blocks)
    return fmt::format("Counts of {} sampled blocks of {}", grouped(*run.sampled_blocks),
                       grouped(run.blocks_in_grid));
  return fmt::format("Counts of all {}", counted(run.blocks_in_grid, "block"));
}

}  // namespace

scene::Scene code_scene(const RunView& run, int current, scene::Size size, const scene::TextMeasure&) {
  scene::Scene scene{size};
  Group& root = scene.root;
  const Rect area{margin, margin, size.width - 2 * margin, size.height - 2 * margin};
  const double column = size.width >= 1100 ? 112 : 88, counters = column * 4;
  root.text({area.x, area.y + 18}, run.spec->title, within(sized(heading(), 17), area.width - counters));
  const auto lines = source_lines(run.spec->code);
  const Place place = lines_shown(lines, current, area.height - 84);
  const std::string part =
      place.last - place.first + 1 < static_cast<int>(lines.size()) - first_code_line(lines) + 1
          ? fmt::format(", lines {} to {} of {}", place.first, place.last, lines.size())
          : "";
  root.text({area.x, area.y + 40}, scope_text(run) + part, within(caption(), area.width - counters));
  double x = area.right() - counters;
  for (const Column& c : columns())
    root.text({(x += column) - 16, area.y + 40}, c.title, within(at_end(caption()), column - 8));
  const Rect panel{area.x, area.y + 54, area.width, area.height - 54};
  root.rect(panel, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, theme::metric::corner);
  std::map<int, const report::LineRow*> rows;
  for (const auto& row : run.lines->rows) rows[row.line] = &row;
  const double type = std::clamp(place.step - 6, 11.0, 15.0);
  for (int line = place.first; line <= place.last; ++line) {
    const double top = panel.y + 14 + (line - place.first) * place.step, middle = top + place.step / 2;
    if (line == current) {
      root.rect({panel.x + 1, top, panel.width - 2, place.step}, {.fill = Color{Token::accent, 0.14}});
      root.rect({panel.x + 1, top, 3, place.step}, {.fill = Token::accent});
    }
    TextStyle style = sized(code(Token::dim), type);
    style.baseline = scene::Baseline::middle;
    root.text({panel.x + 44, middle}, fmt::format("{}", line), at_end(style));
    style.color = Token::text;
    root.text({panel.x + 60, middle}, lines[static_cast<std::size_t>(line - 1)],
              within(style, panel.width - counters - 68))
        .named(fmt::format("line/{}", line));
    if (rows.contains(line))
      draw_counters(root, *rows[line], panel.right() - counters, column, middle, place.step);
  }
  return scene;
}

std::string code_csv(const RunView& run) {
  std::string text = "line,executed,share,global_requests,sectors,shared_requests,wavefronts,source\n";
  for (const auto& row : run.lines->rows)
    text += fmt::format("{},{},{:.6f},{},{},{},{},{}\n", row.line, row.executed, row.executed_share,
                        row.traffic.global.requests, row.traffic.global.cost, row.traffic.shared.requests,
                        row.traffic.shared.cost, csv_cell(source_line(*run.spec, row.line)));
  return text;
}

}  // namespace warplens::figures
