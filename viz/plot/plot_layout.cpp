#include "viz/plot/plot_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "viz/plot/plot_parts.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::plot {
namespace {

using scene::Point, scene::Rect, scene::Size, scene::TextMeasure;

constexpr double kLegendPadding = 10, kLegendTextWidth = 260;

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool positive_only = false;
  void add(double v) {
    if (!std::isfinite(v) || (positive_only && v <= 0)) return;
    low = std::min(low, v), high = std::max(high, v);
  }
  void add(const std::vector<double>& values) {
    for (const double v : values) add(v);
  }
};

Extent extent_of(const Plot& plot, bool positions) {
  Extent extent;
  extent.positive_only = is_log(positions ? plot.x.scale : plot.y.scale);
  for (const Series& s : plot.series) {
    extent.add(positions ? s.x : s.y);
    if (!positions) extent.add(s.low), extent.add(s.high);
  }
  for (const Annotation& a : plot.annotations) {
    if (positions && a.kind != Annotation::Kind::horizontal) extent.add(a.x);
    if (!positions && a.kind != Annotation::Kind::vertical) extent.add(a.y);
  }
  return extent;
}

Range log_range(const Extent& extent) {
  if (extent.low > extent.high) return {1, 10};
  if (extent.low == extent.high) return {extent.low / 2, extent.high * 2};
  const double pad = 0.05 * std::log10(extent.high / extent.low);
  return {extent.low * std::pow(10, -pad), extent.high * std::pow(10, pad)};
}

Range value_range(Extent extent) {
  if (extent.low > extent.high) return {0, 1};
  if (extent.low > 0) extent.low = 0;  // lengths are compared from zero
  if (extent.high < 0) extent.high = 0;
  if (extent.low == extent.high) return {0, 1};
  const auto numbers = nice_numbers({extent.low, extent.high}, 6);
  if (numbers.size() < 2) return {extent.low, extent.high};
  const double step = numbers[1] - numbers[0];
  return {std::floor(extent.low / step + 1e-9) * step, std::ceil(extent.high / step - 1e-9) * step};
}

Range position_range(const Extent& extent, bool bars, std::size_t most) {
  if (extent.low > extent.high) return {0, 1};
  if (extent.low == extent.high) return {extent.low - 1, extent.high + 1};
  const double span = extent.high - extent.low;
  const double pad =
      bars ? span / (2.0 * static_cast<double>(std::max<std::size_t>(most, 2) - 1)) : 0.02 * span;
  return {extent.low - pad, extent.high + pad};
}

Range auto_range(const Plot& plot, bool positions) {
  const Axis& axis = positions ? plot.x : plot.y;
  if (axis.scale == Scale::category)
    return {-0.5, static_cast<double>(std::max<std::size_t>(axis.categories.size(), 1)) - 0.5};
  std::size_t most = 0;
  for (const Series& s : plot.series) most = std::max(most, s.x.size());
  const Extent extent = extent_of(plot, positions);
  Range range = is_log(axis.scale) ? log_range(extent)
                : positions        ? position_range(extent, has_bars(plot), most)
                                   : value_range(extent);
  if (axis.low && !(is_log(axis.scale) && *axis.low <= 0)) range.low = *axis.low;
  if (axis.high) range.high = *axis.high;
  if (!(range.high > range.low)) range.high = range.low + std::max(1.0, std::abs(range.low));
  return range;
}

std::vector<Tick> category_ticks(const Axis& axis, Range range) {
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < axis.categories.size(); ++i)
    if (const double at = static_cast<double>(i); at >= range.low && at <= range.high)
      ticks.push_back({at, axis.categories[i], true});
  return ticks;
}

// Round numbers of what is written, not of the values themselves.
std::vector<Tick> axis_ticks(const Axis& axis, Range range, double count) {
  const Range written{range.low / axis.divisor, range.high / axis.divisor};
  auto found = axis.binary && axis.scale == Scale::linear ? binary_ticks(written, count, axis.notation)
                                                          : ticks(written, axis.scale, count, axis.notation);
  if (axis.whole) std::erase_if(found, [](const Tick& tick) { return tick.value != std::round(tick.value); });
  for (Tick& tick : found) tick.value *= axis.divisor;
  return found;
}

// The ticks of an axis that runs across: as many as stand without touching.
std::vector<Tick> across_ticks(const Axis& axis, const AxisMap& map, const TextMeasure& measure) {
  if (axis.scale == Scale::category) return category_ticks(axis, map.range);
  // Powers of two are few, and the size that is spoken of is one of them. Their multiples are short.
  const double each = axis.scale == Scale::log2 ? 44 : axis.binary ? 32 : 80;
  for (double count = std::max(2.0, std::abs(map.to - map.from) / each);; count = std::floor(count * 0.8)) {
    auto found = axis_ticks(axis, map.range, count);
    double end = -std::numeric_limits<double>::infinity();
    bool clear = true;
    for (const Tick& t : found) {
      if (!t.major) continue;
      const double half = measure.width(t.label, tick_style()) / 2, at = map.pixel(t.value);
      clear = clear && at - half >= end + 10;
      end = at + half;
    }
    if (clear || count <= 2) return found;
  }
}

// One number tells no scale: low axes have more ticks than their height asks for.
std::vector<Tick> upright_ticks(const Axis& axis, const AxisMap& map) {
  if (axis.scale == Scale::category) return category_ticks(axis, map.range);
  constexpr double kMost = 6;
  for (double count = std::max(3.0, std::abs(map.to - map.from) / 48);; ++count) {
    auto found = axis_ticks(axis, map.range, count);
    if (std::ranges::count_if(found, &Tick::major) >= 2 || count >= kMost) return found;
  }
}

double widest(const Plot& plot, const Axis& axis, const std::vector<Tick>& ticks,
              const TextMeasure& measure) {
  double width = 0;
  for (const Tick& t : ticks) width = std::max(width, measure.width(t.label, category_style(plot, axis, t)));
  return width;
}

// Lines that the names below an axis need.
std::size_t category_lines(const Axis& axis, double slot, const TextMeasure& measure) {
  std::size_t lines = 1;
  if (axis.scale != Scale::category) return lines;
  for (const std::string& name : axis.categories)
    lines = std::max(lines, scene::wrapped(name, slot - 8, tick_style(), measure).size());
  return std::min<std::size_t>(lines, 3);
}

// So that the labels at the ends of bars stay inside the frame.
void make_room_for_labels(const Plot& plot, Layout& layout, const TextMeasure& measure) {
  const double length = std::abs(layout.y.to - layout.y.from);
  if (plot.view.y || plot.y.high || is_log(plot.y.scale) || layout.y.range.low != 0) return;
  for (const Series& s : plot.series)
    for (std::size_t i = 0; (s.kind == Series::Kind::bars || s.kind == Series::Kind::marks) &&
                            i < std::min(s.labels.size(), s.y.size());
         ++i) {
      const double room = layout.horizontal ? measure.width(s.labels[i], note_style()) + 14 : kRow + 2;
      if (room < length * 0.8 && s.y[i] > 0)
        layout.y.range.high = std::max(layout.y.range.high, s.y[i] * length / (length - room));
    }
}

void set_maps(const Plot& plot, Layout& layout) {
  const Rect& f = layout.frame;
  layout.x = {plot.x.scale, plot.view.x.value_or(auto_range(plot, true)), f.x, f.right()};
  layout.y = {plot.y.scale, plot.view.y.value_or(auto_range(plot, false)), f.bottom(), f.y};
  if (!layout.horizontal) return;
  layout.x.from = f.y, layout.x.to = f.bottom();
  layout.y.from = f.x, layout.y.to = f.right();
}

// A line across a plot that lies on its side is named above the frame: inside, the labels of bars are.
bool names_lines_above(const Plot& plot) {
  return plot.horizontal &&
         std::any_of(plot.annotations.begin(), plot.annotations.end(), [](const Annotation& a) {
           return a.kind == Annotation::Kind::horizontal && !a.text.empty();
         });
}

// Heights above and below the frame, then its width from the labels beside it.
Layout compute(const Plot& plot, const Rect& area, const TextMeasure& measure, std::size_t legend_rows,
               double right_room = 0) {
  Layout layout;
  layout.area = area;
  layout.horizontal = plot.horizontal;
  const Axis &side = plot.horizontal ? plot.x : plot.y, &below = plot.horizontal ? plot.y : plot.x;
  double top = area.y;
  layout.title_y = top;
  if (!plot.title.empty()) top += 24;
  layout.subtitle_y = top;
  if (is_in_title_line(plot, area, measure))
    layout.subtitle_y = layout.title_y;
  else if (!plot.subtitle.empty())
    top += scene::paragraph_height(plot.subtitle, area.width, tick_style(), measure);
  if (!plot.title.empty() || !plot.subtitle.empty())
    top += side.label.empty() || legend_rows > 0 ? 12 : 20;  // its label is no third line of the title
  layout.legend_box = {area.x, top, area.width, kRow * static_cast<double>(legend_rows)};
  if (legend_rows > 0) top += layout.legend_box.height + 12;
  if (!side.label.empty() || names_lines_above(plot))
    top += kRow;
  else
    top += 8;  // half a tick label
  double bottom = area.bottom();
  if (!plot.caption.empty()) {
    bottom -= scene::paragraph_height(plot.caption, area.width, tick_style(), measure);
    layout.caption_y = bottom;
    bottom -= 8;
  }
  layout.axis_title_y = bottom -= below.label.empty() ? 0 : kRow;
  layout.frame = {area.x, top, area.width - right_room, std::max(16.0, bottom - top - kRow - 4)};
  set_maps(plot, layout);
  const AxisMap& side_map = plot.horizontal ? layout.x : layout.y;
  const double left =
      std::min(widest(plot, side, upright_ticks(side, side_map), measure) + 10, 0.45 * area.width);
  layout.frame.x += left, layout.frame.width = std::max(16.0, layout.frame.width - left);
  const double slots = static_cast<double>(std::max<std::size_t>(1, below.categories.size()));
  layout.frame.height -=
      16 * static_cast<double>(category_lines(below, layout.frame.width / slots, measure) - 1);
  set_maps(plot, layout);
  // The last label below may stick out to the right.
  AxisMap& below_map = plot.horizontal ? layout.y : layout.x;
  if (below.scale != Scale::category) {
    for (const Tick& t : across_ticks(below, below_map, measure)) {
      const double over = below_map.pixel(t.value) + measure.width(t.label, tick_style()) / 2 - area.right();
      if (over > 0) layout.frame.width -= std::ceil(over);
    }
    set_maps(plot, layout);
  }
  make_room_for_labels(plot, layout, measure);
  layout.x_ticks =
      plot.horizontal ? upright_ticks(plot.x, layout.x) : across_ticks(plot.x, layout.x, measure);
  layout.y_ticks =
      plot.horizontal ? across_ticks(plot.y, layout.y, measure) : upright_ticks(plot.y, layout.y);
  return layout;
}

// brief: of neighbours with one origin only the last one says it.
std::vector<LegendEntry> legend_entries(const Plot& plot, bool brief) {
  std::vector<LegendEntry> entries;
  bool mixed = false;
  for (const Series& s : plot.series) mixed = mixed || s.provenance != plot.series.front().provenance;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    if (!plot.series[i].name.empty()) entries.push_back({i, plot.series[i].name, {}});
  for (std::size_t e = 0; e < entries.size() && mixed; ++e) {
    const Series& s = plot.series[entries[e].series];
    const bool is_last =
        e + 1 == entries.size() || plot.series[entries[e + 1].series].provenance != s.provenance;
    if (is_last || !brief) entries[e].text += ", " + std::string(look_of(s.provenance).word);
  }
  // One thing needs no key: the title names it.
  if (plot.series.size() < 2) entries.clear();
  return entries;
}

// Beside each other from the left, on as many rows as needed; answers the number of rows.
std::size_t flow(std::vector<LegendEntry>& entries, const Rect& box, const TextMeasure& measure) {
  double x = box.x, y = box.y + kRow / 2;
  std::size_t rows = 1;
  for (LegendEntry& e : entries) {
    const double width = kKeyWidth + kKeyGap + measure.width(e.text, tick_style());
    if (x > box.x && x + width > box.right()) x = box.x, y += kRow, ++rows;
    e.at = {x, y};
    x += width + kEntryGap;
  }
  return rows;
}

// A column in the first corner where it covers nothing.
bool place_inside(const Plot& plot, Layout& layout, std::vector<LegendEntry>& entries,
                  const TextMeasure& measure) {
  double width = 0;
  for (const LegendEntry& e : entries) width = std::max(width, measure.width(e.text, tick_style()));
  const Size size{width + kKeyWidth + kKeyGap + 2 * kLegendPadding,
                  kRow * static_cast<double>(entries.size()) + 2 * kLegendPadding - 4};
  const Rect room = layout.frame.inset(8);
  if (size.width > room.width * 0.6 || size.height > room.height * 0.7) return false;
  const Obstacles obstacles = obstacles_of(plot, layout);
  const double right = room.right() - size.width, low = room.bottom() - size.height;
  for (const Point p :
       std::array<Point, 4>{{{right, room.y}, {room.x, room.y}, {right, low}, {room.x, low}}}) {
    const Rect box{p.x, p.y, size.width, size.height};
    if (obstacles.cost(box.inset(-6)) > 0) continue;
    layout.legend_box = box;
    layout.legend_inside = true;
    for (std::size_t i = 0; i < entries.size(); ++i)
      entries[i].at = {p.x + kLegendPadding,
                       p.y + kLegendPadding - 2 + kRow * (static_cast<double>(i) + 0.5)};
    return true;
  }
  return false;
}

// The last point of a line that is shown.
std::optional<Point> end_of(const Series& series, const Layout& layout) {
  std::optional<Point> end;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Point p = layout.at(series.x[i], value_at(series.y, i));
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !layout.frame.inset(-1).contains(p)) continue;
    if (series.x[i] > last) last = series.x[i], end = p;
  }
  return end;
}

// A name in as many lines of this width as it needs, in two at most.
std::vector<std::string> name_lines(const std::string& name, double width, const scene::TextStyle& style,
                                    const TextMeasure& measure) {
  std::vector<std::string> lines = scene::wrapped(name, width, style, measure);
  if (lines.size() <= 2) return lines;
  const std::string rest = name.substr(lines[0].size() + 1);
  return {lines[0], scene::shortened(rest, width, style, measure)};
}

double height_of(const EndName& name) { return 17 + kEndNameStep * (std::ssize(name.lines) - 1); }

// One under the other, each as near to its line's end as the others let it; false where there is no room.
bool place_names(std::vector<EndName>& names, const Rect& frame) {
  std::stable_sort(names.begin(), names.end(),
                   [](const EndName& a, const EndName& b) { return a.end.y < b.end.y; });
  std::vector<double> wanted, distances;
  double all = 0;
  for (const EndName& name : names) {
    const double height = height_of(name);
    distances.push_back(wanted.empty() ? 0 : (height_of(names[wanted.size() - 1]) + height) / 2);
    wanted.push_back(name.end.y);
    all += height;
  }
  if (all > frame.height + kRow) return false;
  if (names.empty()) return true;
  const double first = (height_of(names.front()) - 17) / 2, last = (height_of(names.back()) - 17) / 2;
  const auto places = spread(wanted, distances, frame.y + first, frame.bottom() + 4 - last);
  for (std::size_t i = 0; i < places.size(); ++i) names[i].at.y = places[i];
  return true;
}

// Nothing where the names would take too much of the width, or do not stand under one another.
std::optional<Layout> with_end_names(const Plot& plot, const Rect& area,
                                     const std::vector<LegendEntry>& entries, const TextMeasure& measure) {
  constexpr double leader = 30, least_name = 120;
  const double most = 0.45 * area.width - leader;
  double widest = 0;
  for (const LegendEntry& e : entries)
    widest = std::max(widest, measure.width(e.text, end_name_style(plot, e.series)));
  if (widest > most && most < least_name) return std::nullopt;
  for (const bool one_line : {false, true}) {
    std::vector<EndName> names;
    double width = 0;
    for (const LegendEntry& e : entries) {
      const auto style = end_name_style(plot, e.series);
      names.push_back({.series = e.series,
                       .lines = one_line ? std::vector{scene::shortened(e.text, most, style, measure)}
                                         : name_lines(e.text, most, style, measure)});
      for (const std::string& line : names.back().lines) width = std::max(width, measure.width(line, style));
    }
    Layout layout = compute(plot, area, measure, 0, width + leader);
    layout.legend_box = {};
    for (EndName& name : names) {
      const auto end = end_of(plot.series[name.series], layout);
      if (!end) continue;
      name.end = *end, name.at.x = area.right() - width;
      layout.end_names.push_back(std::move(name));
    }
    if (place_names(layout.end_names, layout.frame)) return layout;
  }
  return std::nullopt;
}

double to_line(double v, Scale scale) {
  return is_log(scale) ? (v > 0 ? std::log10(v) : std::numeric_limits<double>::quiet_NaN()) : v;
}

}  // namespace

double AxisMap::pixel(double value) const {
  const double low = to_line(range.low, scale), high = to_line(range.high, scale);
  return from + (to - from) * (to_line(value, scale) - low) / (high - low);
}

double AxisMap::value(double pixel) const {
  const double low = to_line(range.low, scale), high = to_line(range.high, scale);
  const double t = low + (high - low) * (pixel - from) / (to - from);
  return is_log(scale) ? std::pow(10, t) : t;
}

Point Layout::at(double x_value, double y_value) const {
  const double a = x.pixel(x_value), b = y.pixel(y_value);
  return horizontal ? Point{b, a} : Point{a, b};
}

bool is_low(const Rect& area) {
  constexpr double kLow = 480;
  return area.height < kLow;
}

bool is_in_title_line(const Plot& plot, const Rect& area, const TextMeasure& measure) {
  if (!is_low(area) || plot.title.empty() || plot.subtitle.empty()) return false;
  return measure.width(plot.title, title_style()) + kSubtitleGap +
             measure.width(plot.subtitle, tick_style()) <=
         area.width;
}

Rect plot_area(Size size) {
  const Rect area = Rect{0, 0, size.width, size.height}.inset(24);
  constexpr double kLess = 10;  // of the margin above and below
  return is_low(area) ? Rect{area.x, area.y - kLess, area.width, area.height + 2 * kLess} : area;
}

Layout layout_plot(const Plot& plot, const Rect& area, const TextMeasure& measure) {
  auto entries = legend_entries(plot, is_low(area));
  if (plot.names_at_ends && !entries.empty())
    if (auto named = with_end_names(plot, area, entries, measure)) return *std::move(named);
  Layout layout = compute(plot, area, measure, 0);
  layout.legend_box = {};
  if (entries.empty()) return layout;
  for (LegendEntry& e : entries) e.text = scene::shortened(e.text, kLegendTextWidth, tick_style(), measure);
  if (!place_inside(plot, layout, entries, measure)) {
    layout = compute(plot, area, measure, flow(entries, area, measure));
    flow(entries, layout.legend_box, measure);
  }
  layout.legend = std::move(entries);
  return layout;
}

View zoomed(const Layout& layout, Point point, double factor) {
  const double along = layout.horizontal ? point.y : point.x, up = layout.horizontal ? point.x : point.y;
  return {zoomed(layout.x.range, layout.x.scale, factor, layout.x.value(along)),
          zoomed(layout.y.range, layout.y.scale, factor, layout.y.value(up))};
}

View panned(const Layout& layout, Point by) {
  const double along = layout.horizontal ? by.y : by.x, up = layout.horizontal ? by.x : by.y;
  return {panned(layout.x.range, layout.x.scale, -along / (layout.x.to - layout.x.from)),
          panned(layout.y.range, layout.y.scale, -up / (layout.y.to - layout.y.from))};
}

}  // namespace warplens::plot
