#include "viz/plot/plot_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace warplens::plot {
namespace {

using scene::Point, scene::Rect;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Pixels between neighbouring positions of bars, over all series of bars.
double bar_pitch(const Plot& plot, const Layout& layout) {
  if (plot.x.scale == Scale::category) return std::abs(layout.x.pixel(1) - layout.x.pixel(0));
  std::vector<double> at;
  for (const Series& s : plot.series)
    if (s.kind == Series::Kind::bars)
      for (const double x : s.x)
        if (const double p = layout.x.pixel(x); std::isfinite(p)) at.push_back(p);
  std::sort(at.begin(), at.end());
  double pitch = std::abs(layout.x.to - layout.x.from) / 2;
  for (std::size_t i = 1; i < at.size(); ++i)
    if (at[i] - at[i - 1] > 0.5) pitch = std::min(pitch, at[i] - at[i - 1]);
  return pitch;
}

// A thinned run: of the points in one pixel column the first, the lowest, the highest and the last.
std::vector<Point> thinned(const std::vector<Point>& run, double width) {
  const bool sorted = std::is_sorted(run.begin(), run.end(), [](Point a, Point b) { return a.x < b.x; });
  if (!sorted || static_cast<double>(run.size()) < 8 * width) return run;
  std::vector<Point> out;
  for (std::size_t i = 0; i < run.size();) {
    std::size_t j = i;
    while (j < run.size() && std::floor(run[j].x) == std::floor(run[i].x)) ++j;
    const auto [low, high] =
        std::minmax_element(run.begin() + static_cast<long>(i), run.begin() + static_cast<long>(j),
                            [](Point a, Point b) { return a.y < b.y; });
    out.push_back(run[i]);
    out.push_back(std::min(low, high)[0]);
    out.push_back(std::max(low, high)[0]);
    out.push_back(run[j - 1]);
    i = j;
  }
  return out;
}

}  // namespace

bool is_log(Scale scale) { return scale == Scale::log10 || scale == Scale::log2; }

bool has_bars(const Plot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(),
                     [](const Series& s) { return s.kind == Series::Kind::bars; });
}

double value_at(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? values[i] : kNan;
}

namespace {

// From `low` to y, each as wide as its row.
Rect span_rect(const Plot& plot, const Layout& layout, const Series& series, std::size_t i) {
  const double center = layout.x.pixel(value_at(series.x, i)), across = 0.8 * bar_pitch(plot, layout);
  const double a = layout.y.pixel(value_at(series.low, i)), b = layout.y.pixel(value_at(series.y, i));
  if (!std::isfinite(center) || !std::isfinite(a) || !std::isfinite(b)) return {};
  const double low = std::min(a, b), length = std::abs(b - a), start = center - across / 2;
  return layout.horizontal ? Rect{low, start, length, across} : Rect{start, low, across, length};
}

// The bars at one position: how many there are, which of them this one is, and how many there are at most.
struct Neighbours {
  int here = 0, place = 0, most = 1;
};
Neighbours neighbours_of(const Plot& plot, std::size_t s, std::size_t i) {
  std::map<double, int> counts;
  Neighbours found;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    if (plot.series[k].kind != Series::Kind::bars) continue;
    if (k == s) found.place = counts[value_at(plot.series[s].x, i)];
    for (const double x : plot.series[k].x) found.most = std::max(found.most, ++counts[x]);
  }
  found.here = counts[value_at(plot.series[s].x, i)];
  return found;
}

}  // namespace

Rect bar_rect(const Plot& plot, const Layout& layout, std::size_t s, std::size_t i) {
  if (!plot.series[s].low.empty() && plot.series[s].high.empty())
    return span_rect(plot, layout, plot.series[s], i);
  const auto [here, place, bars] = neighbours_of(plot, s, i);
  const double pitch = bar_pitch(plot, layout);
  double group = std::min(0.72 * pitch, 64.0 * bars), first = 1.0 / bars;
  double gap = bars > 1 && group > 8 * bars ? 2 : 0;
  // Where two bars are each lower than a line of text, the first, which has the labels, gets the room for it,
  // and the second is a thin one below the label.
  if (layout.horizontal && bars == 2 && group < 2 * kLabelHeight) {
    group = 0.92 * pitch, gap = std::min(1.0, group / 16);
    first = 1 - std::clamp(group - kLabelHeight, 0.2 * group, 0.5 * group) / group;
  }
  const double other = bars > 1 ? (1 - first) / (bars - 1) : 0;
  const auto up_to = [&](int count) { return count == 0 ? 0 : first + other * (count - 1); };
  const double width = group * (place == 0 ? first : other);
  const double center = layout.x.pixel(value_at(plot.series[s].x, i));
  const double start = center + group * (up_to(place) - up_to(here) / 2) + gap / 2;
  const double zero =
      is_log(layout.y.scale) ? layout.y.range.low : std::clamp(0.0, layout.y.range.low, layout.y.range.high);
  const double a = layout.y.pixel(zero), b = layout.y.pixel(value_at(plot.series[s].y, i));
  if (!std::isfinite(center) || !std::isfinite(b)) return {};
  const double low = std::min(a, b), length = std::abs(b - a), across = std::max(width - gap, 1.0);
  return layout.horizontal ? Rect{low, start, length, across} : Rect{start, low, across, length};
}

Rect mark_rect(const Plot& plot, const Layout& layout, std::size_t s, std::size_t i) {
  const Series& series = plot.series[s];
  const Point at = layout.at(series.x[i], value_at(series.y, i));
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return {};
  const double half = std::min(0.4 * bar_pitch(plot, layout), 36.0), thin = kMarkWidth / 2;
  return layout.horizontal ? Rect{at.x - thin, at.y - half, kMarkWidth, 2 * half}
                           : Rect{at.x - half, at.y - thin, 2 * half, kMarkWidth};
}

bool is_ringed(const Plot& plot, std::size_t s, std::size_t i) {
  const Series& series = plot.series[s];
  return series.kind == Series::Kind::points && !plot.chosen.empty() && i < series.ids.size() &&
         series.ids[i] == plot.chosen;
}

Rect marker_box(const Plot& plot, std::size_t s, std::size_t i, Point at) {
  const double half = is_ringed(plot, s, i) ? kRingRadius + 1 : 5;
  return {at.x - half, at.y - half, 2 * half, 2 * half};
}

bool is_chosen(const Plot& plot, const std::string& id) { return !id.empty() && id == plot.chosen; }

scene::TextStyle end_name_style(const Plot& plot, std::size_t s) {
  scene::TextStyle style = note_style();
  style.baseline = scene::Baseline::middle;
  if (is_chosen(plot, plot.series[s].id)) style.weight = scene::Weight::bold;
  return style;
}

scene::TextStyle category_style(const Plot& plot, const Axis& axis, const Tick& tick) {
  scene::TextStyle style = tick_style();
  if (axis.scale == Scale::category) style.color = scene::Token::text;
  if (is_chosen(plot, category_id(axis, tick))) style.weight = scene::Weight::semibold;
  return style;
}

std::string category_id(const Axis& axis, const Tick& tick) {
  const auto i = static_cast<std::size_t>(std::max(tick.value, 0.0));
  return axis.scale == Scale::category && i < axis.category_ids.size() ? axis.category_ids[i] : "";
}

std::vector<double> spread(std::vector<double> wanted, const std::vector<double>& distances, double top,
                           double bottom) {
  // Without the distances between them places need only ascend: isotonic regression by pooling neighbours
  // that do not (Barlow and others, 1972).
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  std::vector<double> before;  // of each place from the first one
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    before.push_back(i == 0 ? 0 : before.back() + distances[i]);
    pools.push_back({wanted[i] - before[i], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().count + last.count};
    }
  }
  const double lowest = bottom - (before.empty() ? 0 : before.back());
  std::size_t i = 0;
  for (const Pool& pool : pools)
    for (std::size_t k = 0; k < pool.count; ++k, ++i)
      wanted[i] = std::clamp(pool.mean(), top, std::max(top, lowest)) + before[i];
  return wanted;
}

std::vector<std::vector<Point>> runs(const Layout& layout, const Series& series) {
  std::vector<std::vector<Point>> found(1);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const Point p = layout.at(series.x[i], value_at(series.y, i));
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      if (!found.back().empty()) found.emplace_back();
      continue;
    }
    if (series.kind == Series::Kind::step && !found.back().empty()) {
      const Point before = found.back().back();
      found.back().push_back(layout.horizontal ? Point{before.x, p.y} : Point{p.x, before.y});
    }
    found.back().push_back(p);
  }
  if (found.back().empty()) found.pop_back();
  for (auto& run : found) run = thinned(run, layout.frame.width);
  return found;
}

double Obstacles::cost(const Rect& box) const {
  double sum = 0;
  for (const auto& [a, b] : segments) sum += scene::touches(box, a, b) ? 6 : 0;
  for (const auto& [a, b] : leaders) sum += scene::touches(box, a, b) ? 25 : 0;
  for (const Rect& other : boxes) sum += scene::overlaps(box, other) ? 8 : 0;
  for (const Rect& other : texts) sum += scene::overlaps(box, other) ? 40 : 0;
  return sum;
}

bool is_shown(const Layout& layout, double pixel, bool across) {
  const scene::Rect& f = layout.frame;
  return across ? pixel >= f.x - 0.5 && pixel <= f.right() + 0.5
                : pixel >= f.y - 0.5 && pixel <= f.bottom() + 0.5;
}

Obstacles obstacles_of(const Plot& plot, const Layout& layout) {
  Obstacles found;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    using Kind = Series::Kind;
    if (series.kind == Kind::line || series.kind == Kind::step)
      for (const auto& run : runs(layout, series))
        for (std::size_t i = 1; i < run.size(); ++i) found.segments.emplace_back(run[i - 1], run[i]);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Point p = layout.at(series.x[i], value_at(series.y, i));
      if (series.kind == Kind::bars)
        found.boxes.push_back(bar_rect(plot, layout, s, i));
      else if (series.kind == Kind::marks)
        found.boxes.push_back(mark_rect(plot, layout, s, i));
      else if (series.kind == Kind::points || (series.markers && series.x.size() < 500))
        if (std::isfinite(p.x) && std::isfinite(p.y)) found.boxes.push_back(marker_box(plot, s, i, p));
      const Point low = layout.at(series.x[i], value_at(series.low, i)),
                  high = layout.at(series.x[i], value_at(series.high, i));
      if (std::isfinite(low.x + low.y + high.x + high.y)) found.segments.emplace_back(low, high);
    }
  }
  for (const Annotation& a : plot.annotations) {
    if (a.kind == Annotation::Kind::horizontal)
      found.segments.emplace_back(layout.at(layout.x.range.low, a.y), layout.at(layout.x.range.high, a.y));
    if (a.kind == Annotation::Kind::vertical)
      found.segments.emplace_back(layout.at(a.x, layout.y.range.low), layout.at(a.x, layout.y.range.high));
  }
  return found;
}

}  // namespace warplens::plot
