#include <algorithm>
#include <cmath>

#include "viz/plot/plot_layout.hpp"
#include "viz/plot/plot_parts.hpp"

namespace warplens::plot {
namespace {

using namespace scene;

std::string value_text(const Axis& axis, double v) {
  if (axis.scale == Scale::category) {
    const long at = std::lround(v);
    const bool known = at >= 0 && static_cast<std::size_t>(at) < axis.categories.size();
    return known ? axis.categories[static_cast<std::size_t>(at)] : plain(v);
  }
  v /= axis.divisor;
  if (!axis.unit.empty())
    return axis.notation == Notation::si ? si(v, 4, " ", axis.unit) : plain(v, 5) + " " + axis.unit;
  const std::string number = axis.notation == Notation::plain ? plain(v, 5) : formatted(v, axis.notation, 4);
  return axis.label.empty() ? number : axis.label + " " + number;
}

}  // namespace

std::string describe(const Plot& plot, std::size_t s, std::size_t i) {
  const Series& series = plot.series[s];
  std::string text = series.name.empty() ? "" : series.name + ": ";
  text += value_text(plot.x, value_at(series.x, i)) + ", " + value_text(plot.y, value_at(series.y, i));
  text += " (" + std::string(look_of(series.provenance).word) + ")";
  return i < series.tips.size() && !series.tips[i].empty() ? text + "\n" + series.tips[i] : text;
}

std::optional<Nearest> nearest(const Plot& plot, const Layout& layout, Point point, double reach) {
  std::optional<Nearest> best;
  double least = reach;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Point p = layout.at(series.x[i], value_at(series.y, i));
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) continue;
      const bool is_bar = series.kind == Series::Kind::bars;
      const Rect bar = is_bar ? bar_rect(plot, layout, s, i) : Rect{};
      if (!is_bar && !layout.frame.inset(-1).contains(p)) continue;
      const double away = !is_bar               ? std::hypot(p.x - point.x, p.y - point.y)
                          : bar.contains(point) ? 0
                                                : reach + 1;
      if (away > reach || (best && away >= least)) continue;
      least = away;
      const Point end = layout.horizontal ? Point{p.x, bar.center().y} : Point{bar.center().x, p.y};
      best = Nearest{s, i, is_bar ? end : p};
    }
  }
  return best;
}

}  // namespace warplens::plot
