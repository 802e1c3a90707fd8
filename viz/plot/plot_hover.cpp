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

Group draw_hover(const Plot& plot, const Layout& layout, const Nearest& at, const TextMeasure& measure) {
  Group group;
  const Series& series = plot.series[at.series];
  const TextStyle value{
      .size = kTickSize, .color = Token::text, .weight = Weight::semibold, .baseline = Baseline::middle};
  TextStyle dim = tick_style();
  dim.baseline = Baseline::middle;
  const std::string name =
      (series.name.empty() ? "" : series.name + ", ") + std::string(look_of(series.provenance).word);
  const std::string text = value_text(plot.y, value_at(series.y, at.index)),
                    where = value_text(plot.x, value_at(series.x, at.index));
  const double width =
      24 + std::max({measure.width(name, dim), measure.width(text, value), measure.width(where, dim)});
  Rect card{at.at.x + 14, at.at.y - 84, width, 76};
  if (card.right() > layout.area.right()) card.x = at.at.x - 14 - width;
  if (card.y < layout.area.y) card.y = at.at.y + 14;
  card.x = std::clamp(card.x, layout.area.x, std::max(layout.area.x, layout.area.right() - width));
  card.y = std::clamp(card.y, layout.area.y, std::max(layout.area.y, layout.area.bottom() - card.height));
  group.circle(at.at, 8, {.stroke = Stroke{Token::text, 2}});
  group.rect(card, {.fill = Token::raised, .stroke = Stroke{Token::line}}, theme::metric::kCorner);
  group.text({card.x + 12, card.y + 18}, text, value);
  group.text({card.x + 12, card.y + 38}, where, dim);
  group.text({card.x + 12, card.y + 58}, name, dim);
  return group;
}

}  // namespace warplens::plot
