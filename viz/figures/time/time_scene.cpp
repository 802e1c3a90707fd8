#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_units.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/ticks.hpp"

namespace warplens::figures {
namespace {

using time::Schedule, time::Stall, time::Stretch;

// Of half a stage the units stand below the warps, which have this share of the height.
constexpr double kBeside = 480, kUpper = 0.72;
constexpr double kHead = 58, kAxis = 30, kGap = 28, kPartGap = 9, kHighestRow = 44;

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
  Cycles shown;
  double labels = 0;  // width of what stands left of the chart
  double keys = 0;    // height of the legend
  double strip = 0;
  std::vector<Part> parts;
  double x(double cycle) const { return chart.x + chart.width * (cycle - shown.from) / shown.number(); }
  double cycle(double x) const { return shown.from + shown.number() * (x - chart.x) / chart.width; }
};

// Of these cycles of all warps, by what they do; the sum is their number of cycles.
std::array<double, time::kStalls> times_of(const Schedule& schedule, const Cycles& cycles) {
  std::array<double, time::kStalls> times{};
  for (const auto& warp : schedule.warps)
    for (const Stretch& stretch : stretches_in(warp, cycles.from, cycles.to))
      times[static_cast<std::size_t>(stretch.what)] +=
          std::min(stretch.to, cycles.to) - std::max(stretch.from, cycles.from);
  return times;
}

// One for all that the model's own choice of cycles has, so that rows stay where they are while one zooms.
std::vector<Key> keys_of(const Schedule& schedule, const Cycles& shown, Look look, bool is_short) {
  constexpr double kShown = 0.003;
  const auto usual = times_of(schedule, {schedule.from, schedule.to}), times = times_of(schedule, shown);
  const auto sum = [](const auto& all) {
    return std::max(std::accumulate(all.begin(), all.end(), 0.0), 1.0);
  };
  std::vector<Key> keys;
  for (const StallColor& row : stall_colors()) {
    const auto stall = static_cast<std::size_t>(row.stall);
    const double share = times[stall] / sum(times);
    if (std::max(share, usual[stall] / sum(usual)) < kShown) continue;
    const std::string part = share_text(share) + (keys.empty() ? " of the time shown" : "");
    keys.push_back(
        {row.color, is_brief(look)
                        ? std::string(stall_name(schedule.prediction, row.stall, is_short))
                        : fmt::format("{} {}", stall_name(schedule.prediction, row.stall, is_short), part)});
  }
  constexpr double kFull = 0.97;
  const double all = static_cast<double>(schedule.warps.size()) * shown.number();
  if (sum(times) < kFull * all)
    keys.push_back({Color{Token::raised}, is_brief(look) ? "no warp" : "no warp there"});
  return keys;
}

// In short words where the legend would have too many rows.
std::vector<Key> keys_for(const Schedule& schedule, const Cycles& shown, Look look, double width,
                          const scene::TextMeasure& measure) {
  constexpr double kMost = 70;
  Group nowhere;
  auto keys = keys_of(schedule, shown, look, false);
  if (add_key_row(nowhere, {}, keys, width, measure) <= kMost) return keys;
  return keys_of(schedule, shown, look, true);
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
  layout.shown = shown_cycles(schedule, subject.time);
  const Rect& area = layout.area;
  const double head = has_words(subject.look) ? kHead : 4;
  layout.strip = explanation_height(said, {}, area.width, measure);
  const double bottom = area.bottom() - (layout.strip > 0 ? layout.strip + 16 : 0);
  const double units = std::clamp(area.width * 0.31, 150.0, 400.0);
  layout.labels = measure.width(is_large(subject.look) ? "part 0" : "16 warps", caption()) + 12;
  const bool below = is_large(subject.look) && area.width < kBeside;
  const double width = below ? area.width : area.width - units - kGap;
  Group nowhere;
  layout.keys = add_key_row(nowhere, {}, keys_for(schedule, layout.shown, subject.look, width, measure),
                            width, measure);
  const double room = (bottom - area.y - head) * (below ? kUpper : 1);
  layout.chart = {area.x + layout.labels, area.y + head, width - layout.labels,
                  std::max(room - layout.keys - kAxis - 10, 40.0)};
  layout.units = {area.right() - units, area.y + head, units, bottom - area.y - head};
  layout.parts = parts_of(schedule);
  place_rows(layout);
  if (!below) return layout;
  const double top = layout.chart.bottom() + kAxis + 6 + layout.keys + 14;
  layout.units = {area.x, top, area.width, std::max(bottom - top, 60.0)};
  return layout;
}

std::string title_of(const run::Run& run, const Schedule& schedule, std::size_t warp,
                     const Stretch& stretch) {
  std::string text = fmt::format("Warp {} of block {} of those that this SM got\ncycles {} to {}: {}",
                                 warp % static_cast<std::size_t>(schedule.warps_per_block), stretch.block + 1,
                                 plot::plain(std::round(stretch.from)), plot::plain(std::round(stretch.to)),
                                 stall_name(schedule.prediction, stretch.what, false));
  const int line = schedule.code[stretch.instruction].line;
  if (line > 0) text += fmt::format("\nline {}", line);
  if (const auto source = source_of(run, line); !source.empty()) text += fmt::format(": {}", source);
  return text;
}

// Draws what a warp does. What is too narrow to have a colour of its own goes together with its neighbours, and looks like
// what takes most of their time.
class WarpRow {
 public:
  WarpRow(const run::Run& run, const Schedule& schedule, const Layout& layout, const Row& row)
      : run_(run), schedule_(schedule), layout_(layout), row_(row) {}

  Group drawn() && {
    const Rect& chart = layout_.chart;
    group_.rect({chart.x, row_.y, chart.width, height()}, {.fill = Color{Token::raised}});
    for (const Stretch& stretch :
         stretches_in(schedule_.warps[row_.warp], layout_.shown.from, layout_.shown.to))
      add(stretch);
    finish();
    return std::move(group_);
  }

 private:
  static constexpr double kNarrow = 2, kTogether = 4;  // pixels
  double height() const { return row_.height - (row_.height > 4 ? 1 : 0); }

  void add(const Stretch& stretch) {
    const double left = std::max(layout_.x(stretch.from), layout_.chart.x),
                 right = std::min(layout_.x(stretch.to), layout_.chart.right());
    if (has_any_ && left > right_ + 0.5) finish();  // no warp between them
    if (right - left >= kNarrow) {
      finish();
      return draw(stretch, left, right);
    }
    if (!std::exchange(has_any_, true)) left_ = left;
    Together& same = together_[static_cast<std::size_t>(stretch.what)];
    const double cycles = stretch.to - stretch.from;
    same.cycles += cycles;
    if (same.longest == nullptr || cycles > same.longest->to - same.longest->from) same.longest = &stretch;
    right_ = right;
    if (right_ - left_ >= kTogether) finish();
  }
  void finish() {
    if (!std::exchange(has_any_, false)) return;
    draw(*std::ranges::max_element(together_, {}, &Together::cycles)->longest, left_, right_);
    together_ = {};
  }
  void draw(const Stretch& stretch, double left, double right) {
    const int line = schedule_.code[stretch.instruction].line;
    group_.rect({left, row_.y, right - left, height()}, {.fill = color_of(stretch.what)})
        .named(line > 0 ? fmt::format("line:{}", line) : fmt::format("stretch:{}", row_.warp),
               title_of(run_, schedule_, row_.warp, stretch));
  }

  const run::Run& run_;
  const Schedule& schedule_;
  const Layout& layout_;
  const Row& row_;
  Group group_;
  struct Together {
    double cycles = 0;
    const Stretch* longest = nullptr;
  };
  std::array<Together, time::kStalls> together_ = {};  // by what the warp does
  bool has_any_ = false;
  double left_ = 0, right_ = 0;
};

void draw_warp(Group& group, const run::Run& run, const Schedule& schedule, const Layout& layout,
               const Row& row) {
  group.group(WarpRow(run, schedule, layout, row).drawn()).named(fmt::format("warp:{}", row.warp));
}

void draw_part(Group& group, const run::Run& run, const Schedule& schedule, const Layout& layout,
               const Part& part, Look look) {
  for (const Row& row : part.rows) draw_warp(group, run, schedule, layout, row);
  const double top = part.rows.front().y, bottom = part.rows.back().y + part.rows.back().height;
  TextStyle style = at_end(caption());
  style.baseline = scene::Baseline::middle;
  const double x = layout.chart.x - 10, middle = (top + bottom) / 2;
  const bool has_two = !is_brief(look) && bottom - top >= 34;
  group.text({x, middle - (has_two ? 8 : 0)}, fmt::format("part {}", part.number), style);
  if (has_two) group.text({x, middle + 8}, counted(part.rows.size(), "warp"), style);
}

void draw_axis(Group& group, const Layout& layout, const scene::TextMeasure& measure) {
  const double y = layout.chart.bottom();
  const auto ticks =
      plot::binary_ticks({layout.shown.from, layout.shown.to}, std::clamp(layout.chart.width / 110, 2.0, 9.0),
                         plot::Notation::plain);
  const std::string unit = "cycle";
  double free = layout.area.x;
  group.text({layout.chart.x - 10, y + 20}, unit, at_end(caption()));
  free = layout.chart.x - 6;
  for (const auto& tick : ticks) {
    const double x = layout.x(tick.value);
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

void draw_head(Group& group, const run::Run& run, const Schedule& schedule, double recorded,
               const Layout& layout, const scene::TextMeasure& measure) {
  const time::Prediction& p = schedule.prediction;
  const Rect& area = layout.area;
  const TextStyle title = sized(heading(), 20);
  group.text({area.x, area.y + 18},
             fitting({headline(p), headline(p).substr(0, headline(p).find(':'))}, area.width, title, measure),
             within(title, area.width));
  constexpr double kShortened = 0.95;
  const std::string cycles = fmt::format(
      "one SM, {}, cycles {} to {}{}", counted(schedule.warps.size(), "warp"),
      plot::plain(std::round(layout.shown.from)), plot::plain(std::round(layout.shown.to)),
      schedule.scheduled < kShortened
          ? fmt::format(" of a block whose loops have {} of their turns here", share_text(schedule.scheduled))
          : "");
  const std::string name = run.plan().spec.title, predicted = predicted_words(p, recorded);
  const std::string basis = p.basis == "sass" ? "by the machine code" : "by PTX, or code of another chip";
  const std::vector<std::string> texts = {
      fmt::format("{}, {}, {}: {}; {}{}", name, size_words(run.plan()), run.device().name, cycles, predicted,
                  recorded > 0 ? "" : " " + basis),
      fmt::format("{}, {}: {}; {}", name, run.device().name, cycles, predicted),
      fmt::format("{}; {}", cycles, predicted), predicted};
  group.text({area.x, area.y + 40}, fitting(texts, area.width, caption(), measure),
             within(caption(), area.width));
}

// A headline says this.
explain::Explanation said_below(const run::Run& run, const Schedule& schedule, const Subject& subject) {
  if (!has_words(subject.look)) return {};
  const auto words = time_words(*run.job, schedule.prediction, subject.known.payoffs.get());
  auto said = explain::without_praise(words.explanation, run);
  said.what = bound_words(schedule.prediction);  // the headline says the other
  return said;
}

// "FFMA at 0e80", or the instruction of the PTX; empty where it is not known.
std::string instruction_words(const run::Run& run, const Schedule& schedule,
                              const time::Instruction& instruction) {
  if (schedule.prediction.basis == "sass")
    return fmt::format("{} at {:04x}", time::mnemonic(instruction.operation), instruction.offset);
  const auto line = static_cast<std::size_t>(instruction.ptx_line);
  if (line < 1 || line > run.ptx_lines.size()) return {};
  const std::string_view text = run.ptx_lines[line - 1];
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string() : std::string(text.substr(first));
}

// A chart that ends at half of a cycle has its cursor there.
std::optional<TimeCursor> cursor_at(const Schedule& schedule, const Layout& layout, double cycle,
                                    const Row& row) {
  TimeCursor cursor{cycle,
                    row.warp,
                    nullptr,
                    layout.chart,
                    {layout.chart.x, row.y, layout.chart.width, row.height},
                    layout.x(cycle)};
  const auto& stretches = schedule.warps[row.warp].stretches;
  const auto found = std::ranges::upper_bound(stretches, cycle, {}, &Stretch::to);
  if (found != stretches.end() && found->from <= cycle) cursor.stretch = &*found;
  return cursor;
}

// The cursor that the state has.
std::optional<TimeCursor> chosen_cursor(const Schedule& schedule, const TimeOptions& options,
                                        const Layout& layout) {
  const Cycles& shown = layout.shown;
  if (options.cycle < shown.from || options.cycle > shown.to) return std::nullopt;
  for (const Part& part : layout.parts)
    for (const Row& row : part.rows)
      if (row.warp == static_cast<std::size_t>(options.warp))
        return cursor_at(schedule, layout, options.cycle, row);
  return std::nullopt;
}

// What the cursor is at, in a box beside it.
void add_note(Group& group, const Layout& layout, const TimeCursor& cursor, const std::string& words,
              const scene::TextMeasure& measure) {
  constexpr double kPad = 8, kLine = 16;
  std::vector<std::string> lines;
  double width = 0;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = words.find('\n', at);
    lines.push_back(words.substr(at, end == std::string::npos ? end : end - at));
    width = std::max(width, measure.width(lines.back(), caption()));
  }
  const Rect& chart = layout.chart;
  width = std::min(width + 2 * kPad, chart.width - 16);
  const double height = 2 * kPad + kLine * static_cast<double>(lines.size()) - 3;
  const bool is_left = cursor.x + 8 + width > chart.right();
  Rect box{is_left ? std::max(cursor.x - 8 - width, chart.x) : cursor.x + 8, cursor.row.bottom() + 6, width,
           height};
  if (box.bottom() > chart.bottom()) box.y = cursor.row.y - 6 - height;
  group.rect(box, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, theme::metric::kCorner);
  double y = box.y + kPad + 11;
  for (const std::string& line : lines) {
    TextStyle style = caption();
    style.color = Color{Token::text};
    group.text({box.x + kPad, y}, line, within(style, width - 2 * kPad));
    y += kLine;
  }
}

}  // namespace

std::optional<TimeCursor> time_cursor(const Subject& subject, scene::Size size,
                                      const scene::TextMeasure& measure, Point point) {
  if (subject.run == nullptr || subject.known.schedule == nullptr || !*subject.known.schedule)
    return std::nullopt;
  const Schedule& schedule = **subject.known.schedule;
  const auto said = said_below(*subject.run, schedule, subject);
  const Layout layout = layout_of(schedule, subject, said, size, measure);
  if (!layout.chart.contains(point)) return std::nullopt;
  for (const Part& part : layout.parts)
    for (const Row& row : part.rows)
      if (point.y < row.y + row.height + kPartGap / 2)  // the rows are in order
        return cursor_at(schedule, layout, layout.cycle(point.x), row);
  return std::nullopt;
}

std::string cursor_words(const run::Run& run, const Schedule& schedule, const TimeCursor& cursor) {
  const auto warp = cursor.warp % static_cast<std::size_t>(schedule.warps_per_block);
  const std::string cycle = "cycle " + plot::plain(std::floor(cursor.cycle));
  if (cursor.stretch == nullptr) return fmt::format("{}: no warp there", cycle);
  const Stretch& stretch = *cursor.stretch;
  const time::Instruction& instruction = schedule.code[stretch.instruction];
  std::string text = fmt::format("{}: warp {} of block {} {}, for {:.0f} cycles", cycle, warp,
                                 stretch.block + 1, stall_name(schedule.prediction, stretch.what, false),
                                 std::max(stretch.to - stretch.from, 1.0));
  if (const std::string name = instruction_words(run, schedule, instruction); !name.empty())
    text += fmt::format("\n{}{}", stretch.what == Stall::selected ? "" : "before ", name);
  if (instruction.line > 0) text += fmt::format("\nline {}", instruction.line);
  if (const auto source = source_of(run, instruction.line); !source.empty())
    text += fmt::format(": {}", source);
  return text;
}

void add_cursor(Group& group, const TimeCursor& cursor, const scene::TextMeasure& measure) {
  const Rect& chart = cursor.chart;
  const std::string text = "cycle " + plot::plain(std::floor(cursor.cycle));
  TextStyle style = caption();
  style.color = Color{Token::accent};
  const double width = measure.width(text, style);
  const double x = std::clamp(cursor.x + 4, chart.x, chart.right() - width);
  group.line({cursor.x, chart.y - 12}, {cursor.x, chart.bottom()}, {Token::accent, 1.5});
  group.text({x, chart.y - 4}, text, style);
  group.rect(cursor.row, {.stroke = scene::Stroke{Token::accent, 1}});
}

std::optional<Pick> pick_in_time(const Subject& subject, const scene::Scene&, scene::Size size,
                                 const scene::TextMeasure& measure, Point point) {
  const auto cursor = time_cursor(subject, size, measure, point);
  if (!cursor) return std::nullopt;
  const Schedule& schedule = **subject.known.schedule;
  Pick pick{fmt::format("warp:{}", cursor->warp), cursor_words(*subject.run, schedule, *cursor), cursor->row};
  if (cursor->stretch == nullptr) return pick;
  const time::Instruction& instruction = schedule.code[cursor->stretch->instruction];
  const auto line = static_cast<std::size_t>(instruction.ptx_line);
  const auto& rows = subject.run->row_of_ptx_line;
  if (line >= 1 && line <= rows.size() && rows[line - 1] >= 0)
    pick.id = fmt::format("ptx:{}", line);
  else if (instruction.line > 0)
    pick.id = fmt::format("line:{}", instruction.line);
  return pick;
}

scene::Scene time_scene(const run::Run& run, const Schedule& schedule, const Subject& subject,
                        scene::Size size, const scene::TextMeasure& measure) {
  scene::Scene scene{size};
  Group& root = scene.root;
  const explain::Explanation said = said_below(run, schedule, subject);
  const Layout layout = layout_of(schedule, subject, said, size, measure);
  if (has_words(subject.look)) draw_head(root, run, schedule, subject.recorded_seconds, layout, measure);
  for (const Part& part : layout.parts) draw_part(root, run, schedule, layout, part, subject.look);
  draw_axis(root, layout, measure);
  const double legend = layout.chart.right() - layout.area.x;
  add_key_row(root, {layout.area.x, layout.chart.bottom() + kAxis + 6},
              keys_for(schedule, layout.shown, subject.look, legend, measure), legend, measure);
  draw_units(root, run, schedule.prediction, layout.units, subject.look, measure);
  if (const auto cursor = chosen_cursor(schedule, subject.time, layout)) {
    add_cursor(root, *cursor, measure);
    add_note(root, layout, *cursor, cursor_words(run, schedule, *cursor), measure);
  }
  if (!said.what.empty())
    add_explanation(root,
                    {layout.area.x, layout.area.bottom() - layout.strip, layout.area.width, layout.strip},
                    said, {}, {}, measure, kOfStep);
  return scene;
}

}  // namespace warplens::figures
