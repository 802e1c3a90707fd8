#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/ticks.hpp"

namespace warplens::figures {
namespace {

using time::Schedule, time::Stall, time::Stretch;

constexpr double kHead = 58, kAxis = 30, kGap = 28, kPartGap = 9, kHighestRow = 44;

// Each has a contrast of 3 to the ground of a row, and those that often stand beside each other differ in
// more than lightness.
struct StallColor {
  Stall stall;
  Color color;
};
const StallColor kColors[] = {{Stall::selected, Color{Token::good}},
                              {Stall::not_selected, Color{Token::series_5, 0.75}},
                              {Stall::wait, edge()},
                              {Stall::pipe, Color{Token::series_7}},
                              {Stall::short_scoreboard, Color{Token::costly, 0.75}},
                              {Stall::memory_throttle, Color{Token::first_thread, 0.85}},
                              {Stall::long_scoreboard, Color{Token::first_warp, 0.8}},
                              {Stall::barrier, Color{Token::series_4, 0.7}}};
Color color_of(Stall stall) { return std::ranges::find(kColors, stall, &StallColor::stall)->color; }

// The longest of the texts that fits; the last one where none does.
std::string fitting(const std::vector<std::string>& texts, double width, const TextStyle& style,
                    const scene::TextMeasure& measure) {
  for (const std::string& text : texts)
    if (measure.width(text, style) <= width) return text;
  return texts.back();
}

struct Row {
  std::size_t warp = 0;
  double y = 0, height = 0;
};
struct Part {
  int number = 0;
  std::vector<Row> rows;
};

struct Layout {
  Rect area, chart, units;
  double labels = 0;  // width of what stands left of the chart
  double keys = 0;    // height of the legend
  double strip = 0;
  std::vector<Part> parts;
  double x(const Schedule& schedule, double cycle) const {
    return chart.x + chart.width * (cycle - schedule.from) / (schedule.to - schedule.from);
  }
};

// Of the shown cycles of all warps, by what they do.
std::array<double, time::kStalls> shares_of(const Schedule& schedule) {
  std::array<double, time::kStalls> shares{};
  double all = 0;
  for (const auto& warp : schedule.warps)
    for (const Stretch& stretch : warp.stretches)
      shares[static_cast<std::size_t>(stretch.what)] += stretch.to - stretch.from,
          all += stretch.to - stretch.from;
  for (double& share : shares) share /= std::max(all, 1.0);
  return shares;
}

std::vector<Key> keys_of(const Schedule& schedule, bool for_class) {
  constexpr double kShown = 0.003;
  const auto shares = shares_of(schedule);
  std::vector<Key> keys;
  for (const StallColor& row : kColors) {
    const double share = shares[static_cast<std::size_t>(row.stall)];
    if (share < kShown) continue;
    const std::string part = share_text(share) + (keys.empty() ? " of the warps' time" : "");
    keys.push_back({row.color, for_class ? std::string(stall_name(row.stall, true))
                                         : fmt::format("{} {}", stall_name(row.stall, false), part)});
  }
  double there = 0;
  for (const auto& warp : schedule.warps)
    for (const Stretch& stretch : warp.stretches) there += stretch.to - stretch.from;
  constexpr double kFull = 0.97;
  const double all = static_cast<double>(schedule.warps.size()) * (schedule.to - schedule.from);
  if (there < kFull * all) keys.push_back({Color{Token::raised}, for_class ? "no warp" : "no warp there"});
  return keys;
}

std::vector<Part> parts_of(const Schedule& schedule) {
  std::vector<Part> parts;
  for (std::size_t w = 0; w < schedule.warps.size(); ++w) {
    const int number = schedule.warps[w].part;
    auto found = std::ranges::find(parts, number, &Part::number);
    if (found == parts.end()) found = parts.insert(found, Part{number, {}});
    found->rows.push_back({w, 0, 0});
  }
  std::ranges::sort(parts, {}, &Part::number);
  return parts;
}

// Rows fill the chart, or as much of it as looks well.
void place_rows(Layout& layout) {
  double rows = 0;
  for (const Part& part : layout.parts) rows += static_cast<double>(part.rows.size());
  const double gaps = kPartGap * static_cast<double>(layout.parts.size() - 1);
  const double height = std::min((layout.chart.height - gaps) / std::max(rows, 1.0), kHighestRow);
  double y = layout.chart.y;
  for (Part& part : layout.parts) {
    for (Row& row : part.rows) row.y = y, row.height = height, y += height;
    y += kPartGap;
  }
  layout.chart.height = y - kPartGap - layout.chart.y;
}

Layout layout_of(const Schedule& schedule, const Subject& subject, const explain::Explanation& said,
                 scene::Size size, const scene::TextMeasure& measure) {
  Layout layout;
  layout.area = inner_area(size);
  const Rect& area = layout.area;
  const double head = subject.for_class ? 4 : kHead;
  layout.strip = explanation_height(said, {}, area.width, measure);
  const double bottom = area.bottom() - (layout.strip > 0 ? layout.strip + 16 : 0);
  const double units = std::clamp(area.width * 0.31, 150.0, 400.0);
  layout.labels = measure.width(subject.for_class ? "part 0" : "16 warps", caption()) + 12;
  const double width = area.width - units - kGap;
  Group nowhere;
  layout.keys = add_key_row(nowhere, {}, keys_of(schedule, subject.for_class), width, measure);
  layout.chart = {area.x + layout.labels, area.y + head, width - layout.labels,
                  std::max(bottom - layout.keys - kAxis - 10 - area.y - head, 40.0)};
  layout.units = {area.right() - units, area.y + head, units, bottom - area.y - head};
  layout.parts = parts_of(schedule);
  place_rows(layout);
  return layout;
}

// The text of a line of the kernel's own file; empty where it is not one.
std::string_view source_of(const run::Run& run, int line) {
  if (line < 1 || static_cast<std::size_t>(line) > run.source_lines.size() ||
      std::ranges::find(run.kernel_lines, line) == run.kernel_lines.end())
    return {};
  const std::string_view text = run.source_lines[static_cast<std::size_t>(line) - 1];
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

std::string title_of(const run::Run& run, const Schedule& schedule, std::size_t warp,
                     const Stretch& stretch) {
  std::string text = fmt::format("Warp {} of block {} of those that this SM got\ncycles {} to {}: {}",
                                 warp % static_cast<std::size_t>(schedule.warps_per_block), stretch.block + 1,
                                 plot::plain(std::round(stretch.from)), plot::plain(std::round(stretch.to)),
                                 stall_name(stretch.what, false));
  const int line = schedule.lines[stretch.instruction];
  if (line > 0) text += fmt::format("\nline {}", line);
  if (const auto source = source_of(run, line); !source.empty()) text += fmt::format(": {}", source);
  return text;
}

void draw_warp(Group& group, const run::Run& run, const Schedule& schedule, const Layout& layout,
               const Row& row) {
  const double gap = row.height > 4 ? 1 : 0;
  Group one;
  one.rect({layout.chart.x, row.y, layout.chart.width, row.height - gap}, {.fill = Color{Token::raised}});
  for (const Stretch& stretch : schedule.warps[row.warp].stretches) {
    const double left = layout.x(schedule, stretch.from), right = layout.x(schedule, stretch.to);
    if (right - left < 0.25) continue;
    const int line = schedule.lines[stretch.instruction];
    one.rect({left, row.y, right - left, row.height - gap}, {.fill = color_of(stretch.what)})
        .named(line > 0 ? fmt::format("line:{}", line) : fmt::format("stretch:{}", row.warp),
               title_of(run, schedule, row.warp, stretch));
  }
  group.group(std::move(one)).named(fmt::format("warp:{}", row.warp));
}

void draw_part(Group& group, const run::Run& run, const Schedule& schedule, const Layout& layout,
               const Part& part, bool for_class) {
  for (const Row& row : part.rows) draw_warp(group, run, schedule, layout, row);
  const double top = part.rows.front().y, bottom = part.rows.back().y + part.rows.back().height;
  TextStyle style = at_end(caption());
  style.baseline = scene::Baseline::middle;
  const double x = layout.chart.x - 10, middle = (top + bottom) / 2;
  const bool has_two = !for_class && bottom - top >= 34;
  group.text({x, middle - (has_two ? 8 : 0)}, fmt::format("part {}", part.number), style);
  if (has_two) group.text({x, middle + 8}, counted(part.rows.size(), "warp"), style);
}

void draw_axis(Group& group, const Schedule& schedule, const Layout& layout,
               const scene::TextMeasure& measure) {
  const double y = layout.chart.bottom();
  const auto ticks = plot::binary_ticks(
      {schedule.from, schedule.to}, std::clamp(layout.chart.width / 110, 2.0, 9.0), plot::Notation::plain);
  const std::string unit = "cycle";
  double free = layout.area.x;
  group.text({layout.chart.x - 10, y + 20}, unit, at_end(caption()));
  free = layout.chart.x - 6;
  for (const auto& tick : ticks) {
    const double x = layout.x(schedule, tick.value);
    group.line({x, y + 1}, {x, y + (tick.major ? 6 : 3)}, {Token::dim, 1});
    if (!tick.major) continue;
    const std::string text = plot::plain(tick.value);
    const double half = measure.width(text, caption()) / 2;
    const double at = std::min(x, layout.chart.right() - half);
    if (at - half < free) continue;
    group.text({at, y + 20}, text, centred(caption()));
    free = at + half + 8;
  }
}

std::vector<time::UnitShare> units_of(const time::Prediction& prediction, std::size_t most) {
  const auto all = shares_of(prediction.units);
  std::vector<time::UnitShare> units(all.begin(), all.end());
  std::ranges::stable_sort(units, std::greater{}, &time::UnitShare::busy);
  std::erase_if(units, [](const time::UnitShare& unit) { return unit.busy < 0.005; });
  if (units.size() > most) units.resize(most);
  return units;
}

void draw_unit(Group& group, const time::Prediction& prediction, const time::UnitShare& unit,
               const Rect& room, bool is_widest, const scene::TextMeasure& measure) {
  const Color color =
      is_widest ? Color{has_limiter(prediction) ? Token::costly : Token::accent} : Color{Token::first_warp};
  const TextStyle style = is_widest ? heading() : body();
  const std::string share = share_text(unit.busy);
  const double wide = room.width - measure.width(share, style) - 12;
  Group one;
  one.text({room.x, room.y + 14},
           fitting({std::string(unit_name(unit.name, false)), std::string(unit_name(unit.name, true))}, wide,
                   style, measure),
           within(style, wide));
  TextStyle number = at_end(style);
  if (is_widest) number.color = color;
  one.text({room.right(), room.y + 14}, share, number);
  const Rect bar{room.x, room.y + 21, room.width, std::min(10.0, room.height - 26)};
  one.rect(bar, {.fill = Color{Token::raised}}, 3);
  one.rect({bar.x, bar.y, std::max(bar.width * unit.busy, 2.0), bar.height}, {.fill = color}, 3);
  group.group(std::move(one))
      .named(fmt::format("unit:{}", unit.name),
             fmt::format("{}: busy {} of the time\nAlone it would take {}", unit_name(unit.name, false),
                         share, duration(prediction.seconds * unit.busy)));
}

// "At least 31 µs" for the three busiest.
void draw_bounds(Group& group, const time::Prediction& prediction, const std::vector<time::UnitShare>& units,
                 const Rect& room, const scene::TextMeasure& measure) {
  const std::vector<std::string> texts = {"The time at least, if only this unit counted",
                                          "At least, by this unit alone", "At least"};
  group.text({room.x, room.y + 13}, fitting(texts, room.width, caption(), measure),
             within(caption(), room.width));
  const double columns = std::clamp(std::floor(room.width / 104), 1.0, 3.0), column = room.width / columns;
  for (std::size_t i = 0; i < std::min(units.size(), static_cast<std::size_t>(columns)); ++i) {
    const double x = room.x + column * static_cast<double>(i);
    const TextStyle large =
        sized(number(i == 0 && has_limiter(prediction) ? Token::costly : Token::text), 19);
    group.text({x, room.y + 40}, duration(prediction.seconds * units[i].busy), within(large, column - 8));
    group.text({x, room.y + 58}, std::string(unit_name(units[i].name, true)), within(caption(), column - 8));
  }
}

void draw_units(Group& group, const time::Prediction& prediction, const Layout& layout, bool for_class,
                const scene::TextMeasure& measure) {
  const Rect& room = layout.units;
  constexpr double kBounds = 66, kLeastPitch = 32;
  double y = room.y;
  group.text({room.x, y + 14}, fitting({"Where the cycles go", "Busy"}, room.width, heading(), measure),
             heading());
  y += 22;
  if (!for_class) {
    const std::vector<std::string> texts = {"how long each unit is busy, of all cycles",
                                            "busy, of all cycles"};
    group.text({room.x, y + 12}, fitting(texts, room.width, caption(), measure),
               within(caption(), room.width));
    y += 22;
  }
  y += 4;
  const bool has_bounds = !for_class && room.bottom() - y >= kBounds + 4 * kLeastPitch && room.width >= 190;
  const double free = room.bottom() - y - (has_bounds ? kBounds + 14 : 0);
  const auto units =
      units_of(prediction, static_cast<std::size_t>(std::max(1.0, std::floor(free / kLeastPitch))));
  const double pitch = std::min(free / static_cast<double>(std::max<std::size_t>(units.size(), 1)), 46.0);
  for (std::size_t i = 0; i < units.size(); ++i, y += pitch)
    draw_unit(group, prediction, units[i], {room.x, y, room.width, pitch}, i == 0, measure);
  if (has_bounds) draw_bounds(group, prediction, units, {room.x, y + 12, room.width, kBounds}, measure);
}

void draw_head(Group& group, const run::Run& run, const Schedule& schedule, double recorded,
               const Layout& layout, const scene::TextMeasure& measure) {
  const time::Prediction& p = schedule.prediction;
  const Rect& area = layout.area;
  const TextStyle title = sized(heading(), 20);
  group.text({area.x, area.y + 18},
             fitting({headline(p), headline(p).substr(0, headline(p).find(':'))}, area.width, title, measure),
             within(title, area.width));
  const std::string cycles =
      fmt::format("one SM, {}, cycles {} to {}", counted(schedule.warps.size(), "warp"),
                  plot::plain(schedule.from), plot::plain(schedule.to));
  const std::string name = run.plan().spec.title, predicted = predicted_words(p, recorded);
  const std::string basis = p.basis == "sass" ? "by the machine code" : "by PTX, or code of another chip";
  const std::vector<std::string> texts = {
      fmt::format("{}, {}, {}: {}; {}{}", name, run::value_words(run.plan().sizes), run.device().name, cycles,
                  predicted, recorded > 0 ? "" : " " + basis),
      fmt::format("{}, {}: {}; {}", name, run.device().name, cycles, predicted),
      fmt::format("{}; {}", cycles, predicted), predicted};
  group.text({area.x, area.y + 40}, fitting(texts, area.width, caption(), measure),
             within(caption(), area.width));
}

}  // namespace

scene::Scene time_scene(const run::Run& run, const Schedule& schedule, const Subject& subject,
                        scene::Size size, const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  Group& root = scene.root;
  // A stage says this.
  explain::Explanation said = subject.for_class
                                  ? explain::Explanation{}
                                  : explain::without_praise(time_words(run, schedule).explanation, run);
  if (!subject.for_class) said.what = bound_words(schedule.prediction);  // the headline says the other
  const Layout layout = layout_of(schedule, subject, said, size, measure);
  if (!subject.for_class) draw_head(root, run, schedule, subject.recorded_seconds, layout, measure);
  for (const Part& part : layout.parts) draw_part(root, run, schedule, layout, part, subject.for_class);
  draw_axis(root, schedule, layout, measure);
  add_key_row(root, {layout.area.x, layout.chart.bottom() + kAxis + 6}, keys_of(schedule, subject.for_class),
              layout.chart.right() - layout.area.x, measure);
  draw_units(root, schedule.prediction, layout, subject.for_class, measure);
  if (!said.what.empty())
    add_explanation(root,
                    {layout.area.x, layout.area.bottom() - layout.strip, layout.area.width, layout.strip},
                    said, {}, {}, measure, kOfStep);
  return scene;
}

}  // namespace warplens::figures
