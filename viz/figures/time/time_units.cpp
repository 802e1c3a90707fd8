#include "viz/figures/time/time_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/time/why/stalls_by_line.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::figures {
namespace {

using time::Stall;

// Each has a contrast of 3 to the ground of a row, and those that often stand beside each other differ in
// more than lightness.
const StallColor kColors[] = {{Stall::selected, Color{Token::good}},
                              {Stall::not_selected, Color{Token::series_5, 0.75}},
                              {Stall::wait, edge()},
                              {Stall::pipe, Color{Token::series_7}},
                              {Stall::dispatch, Color{Token::series_6, 0.85}},
                              {Stall::short_scoreboard, Color{Token::costly, 0.75}},
                              {Stall::memory_throttle, Color{Token::first_thread, 0.85}},
                              {Stall::long_scoreboard, Color{Token::first_warp, 0.8}},
                              {Stall::barrier, Color{Token::series_4, 0.7}}};

}  // namespace

std::span<const StallColor> stall_colors() { return kColors; }
Color color_of(Stall stall) { return std::ranges::find(kColors, stall, &StallColor::stall)->color; }

std::string fitting(const std::vector<std::string>& texts, double width, const TextStyle& style,
                    const scene::TextMeasure& measure) {
  for (const std::string& text : texts)
    if (measure.width(text, style) <= width) return text;
  return texts.back();
}

std::string_view source_of(const run::Run& run, int line) {
  if (line < 1 || static_cast<std::size_t>(line) > run.source_lines.size() ||
      std::ranges::find(run.kernel_lines, line) == run.kernel_lines.end())
    return {};
  const std::string_view text = run.source_lines[static_cast<std::size_t>(line) - 1];
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

namespace {

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
      .named(
          fmt::format("unit:{}", unit.name),
          fmt::format("{}: busy {} of the kernel's cycles\nAlone it would take {}",
                      unit_name(unit.name, false), share, duration(seconds_on_sms(prediction) * unit.busy)));
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
    group.text({x, room.y + 40}, duration(seconds_on_sms(prediction) * units[i].busy),
               within(large, column - 8));
    group.text({x, room.y + 58}, std::string(unit_name(units[i].name, true)), within(caption(), column - 8));
  }
}

// The lines of the source at which warps spend most of their time.
std::vector<time::LineStalls> lines_of(const run::Run& run, const time::Prediction& prediction) {
  constexpr std::size_t kMost = 3;
  constexpr double kLeast = 0.02;
  auto lines = time::stalls_by_line(prediction);
  std::erase_if(lines, [&](const time::LineStalls& line) {
    return line.share < kLeast || source_of(run, line.line).empty();
  });
  if (lines.size() > kMost) lines.resize(kMost);
  return lines;
}

// Its bar is made of what warps do there.
void draw_line(Group& group, const run::Run& run, const time::LineStalls& line, const Rect& room,
               const scene::TextMeasure& measure) {
  const std::string number = fmt::format("line {}", line.line), share = share_text(line.share);
  const double from = measure.width(number, caption()) + 8;
  Group one;
  one.rect({room.x, room.y, room.width, room.height - 4}, {.fill = Color{Token::background}});
  one.text({room.x, room.y + 12}, number, caption());
  const TextStyle style = sized(code(), 12);
  one.text({room.x + from, room.y + 12}, std::string(source_of(run, line.line)),
           within(style, room.width - from - measure.width(share, body()) - 12));
  one.text({room.right(), room.y + 12}, share, at_end(body()));
  double x = room.x;
  one.rect({x, room.y + 18, room.width, 6}, {.fill = Color{Token::raised}}, 3);
  for (const StallColor& row : kColors) {
    const double width = room.width * line.reasons[static_cast<std::size_t>(row.stall)];
    if (width >= 0.5) one.rect({x, room.y + 18, width, 6}, {.fill = row.color});
    x += width;
  }
  std::string title = fmt::format("Warps spend {} of their time at line {}:", share, line.line);
  for (const time::Reason& reason : time::reasons_of(line.reasons))
    title += "\n" + time::reason_words({reason}, 1);
  group.group(std::move(one)).named(fmt::format("line:{}", line.line), title);
}

constexpr double kLinesHead = 26, kLinePitch = 32;

void draw_lines(Group& group, const run::Run& run, const std::vector<time::LineStalls>& lines,
                const Rect& room, const scene::TextMeasure& measure) {
  const std::vector<std::string> titles = {"Where in the source warps spend their time",
                                           "Where warps spend their time", "By line"};
  group.text({room.x, room.y + 13}, fitting(titles, room.width, caption(), measure),
             within(caption(), room.width));
  double y = room.y + kLinesHead;
  for (const time::LineStalls& line : lines) {
    draw_line(group, run, line, {room.x, y, room.width, kLinePitch}, measure);
    y += kLinePitch;
  }
}

double lines_height(std::size_t lines) {
  return lines == 0 ? 0 : kLinesHead + kLinePitch * static_cast<double>(lines) + 4;
}

}  // namespace

void draw_units(Group& group, const run::Run& run, const time::Prediction& prediction, const Rect& room,
                Look look, const scene::TextMeasure& measure) {
  constexpr double kBounds = 66, kLeastPitch = 32, kUnits = 4;
  double y = room.y;
  group.text({room.x, y + 14}, fitting({"Where the cycles go", "Busy"}, room.width, heading(), measure),
             heading());
  y += 22;
  if (!is_brief(look)) {
    const std::vector<std::string> texts = {"how long each unit is busy, of all cycles",
                                            "busy, of all cycles"};
    group.text({room.x, y + 12}, fitting(texts, room.width, caption(), measure),
               within(caption(), room.width));
    y += 22;
  }
  y += 4;
  const double all = room.bottom() - y, least = kUnits * kLeastPitch;
  // A class reads no code this small; where there is little room the lines are fewer.
  auto lines =
      is_brief(look) || room.width < 190 ? std::vector<time::LineStalls>() : lines_of(run, prediction);
  while (!lines.empty() && all < least + lines_height(lines.size())) lines.pop_back();
  const double below = lines_height(lines.size());
  const bool has_bounds = !is_brief(look) && all >= kBounds + 14 + least + below && room.width >= 190;
  const double free = all - below - (has_bounds ? kBounds + 14 : 0);
  const auto units =
      units_of(prediction, static_cast<std::size_t>(std::max(1.0, std::floor(free / kLeastPitch))));
  const double pitch = std::min(free / static_cast<double>(std::max<std::size_t>(units.size(), 1)), 46.0);
  for (std::size_t i = 0; i < units.size(); ++i, y += pitch)
    draw_unit(group, prediction, units[i], {room.x, y, room.width, pitch}, i == 0, measure);
  if (has_bounds) {
    draw_bounds(group, prediction, units, {room.x, y + 12, room.width, kBounds}, measure);
    y += 12 + kBounds;
  }
  if (!lines.empty()) draw_lines(group, run, lines, {room.x, y + 6, room.width, below}, measure);
}

}  // namespace warplens::figures
