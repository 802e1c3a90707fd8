#include <algorithm>
#include <cmath>
#include <numeric>

#include "viz/plot/plot_layout.hpp"
#include "viz/plot/plot_parts.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::plot {
namespace {

using namespace scene;
using Kind = Series::Kind;

constexpr double kChosenMore = 2;  // the width of a chosen line beyond that of others

class Drawing {
 public:
  Drawing(const Plot& plot, const Layout& layout, const TextMeasure& measure)
      : plot_(plot), layout_(layout), measure_(measure) {}

  Group draw() {
    titles();
    axes();
    for (std::size_t i = 0; i < plot_.series.size(); ++i)
      if (plot_.series[i].kind == Kind::band) band(i);
    for (const std::size_t i : order()) series(i);
    add_labels(root_, plot_, layout_, measure_, band_);
    legend();
    end_names();
    return std::move(root_);
  }

 private:
  void titles() {
    const Rect& a = layout_.area;
    TextStyle title = title_style();
    title.max_width = a.width;
    root_.text({a.x, layout_.title_y}, plot_.title, title);
    const double behind =
        is_in_title_line(plot_, a, measure_) ? measure_.width(plot_.title, title_style()) + kSubtitleGap : 0;
    if (!plot_.subtitle.empty())
      add_paragraph(root_, {a.x + behind, layout_.subtitle_y}, plot_.subtitle, a.width - behind, tick_style(),
                    measure_);
    if (!plot_.caption.empty())
      add_paragraph(root_, {a.x, layout_.caption_y}, plot_.caption, a.width, tick_style(), measure_);
  }

  void axes() {
    const Rect& f = layout_.frame;
    const bool turned = layout_.horizontal;
    const Axis &below = turned ? plot_.y : plot_.x, &side = turned ? plot_.x : plot_.y;
    across(below, turned ? layout_.y : layout_.x, turned ? layout_.y_ticks : layout_.x_ticks);
    upright(side, turned ? layout_.x : layout_.y, turned ? layout_.x_ticks : layout_.y_ticks);
    TextStyle style = label_style();
    style.baseline = Baseline::top, style.max_width = layout_.area.width;
    root_.text({layout_.area.x, f.y - 8 - kRow + 4}, side.label, style);
    style.anchor = Anchor::middle, style.max_width = f.width;
    root_.text({f.x + f.width / 2, layout_.axis_title_y + 4}, below.label, style);
    root_.line({f.x, f.bottom()}, {f.right(), f.bottom()}, {Token::dim, 1});
    if (turned) root_.line({f.x, f.y}, {f.x, f.bottom()}, {Token::dim, 1});
  }

  void across(const Axis& axis, const AxisMap& map, const std::vector<Tick>& ticks) {
    const Rect& f = layout_.frame;
    TextStyle style = tick_style();
    style.anchor = Anchor::middle, style.baseline = Baseline::top;
    const bool names = axis.scale == Scale::category;
    const double slot = f.width / std::max(1.0, map.range.high - map.range.low);
    for (const Tick& t : ticks) {
      const double x = map.pixel(t.value);
      if (!is_shown(layout_, x, true)) continue;
      if (!names && axis.grid && t.major) root_.line({x, f.y}, {x, f.bottom()}, {Color(Token::line, 0.7), 1});
      if (!names) root_.line({x, f.bottom()}, {x, f.bottom() + (t.major ? 5 : 3)}, {Token::dim, 1});
      if (names)
        category(t.label, category_id(axis, t), {x, f.bottom() + 9}, slot - 8, style);
      else
        root_.text({x, f.bottom() + 9}, t.label, style);
    }
  }

  void category(const std::string& name, const std::string& id, Point top, double width, TextStyle style) {
    auto lines = wrapped(name, width, style, measure_);
    if (lines.size() > 3) lines.resize(3), lines.back() += "…";
    style.max_width = width;
    for (const std::string& line : lines) {
      root_.text(top, line, style).named(id);
      top.y += 16;
    }
  }

  void upright(const Axis& axis, const AxisMap& map, const std::vector<Tick>& ticks) {
    const Rect& f = layout_.frame;
    if (layout_.horizontal) chosen_row(axis, map);
    for (const Tick& t : ticks) {
      const double y = map.pixel(t.value);
      if (!is_shown(layout_, y, false)) continue;
      const bool names = axis.scale == Scale::category;
      if (!names && axis.grid && t.major) root_.line({f.x, y}, {f.right(), y}, {Color(Token::line, 0.7), 1});
      if (!names && is_log(axis.scale) && !t.major)
        root_.line({f.x, y}, {f.x + 4, y}, {Color(Token::dim, 0.8), 1});
      TextStyle style = category_style(plot_, axis, t);
      style.anchor = Anchor::end, style.baseline = Baseline::middle;
      style.max_width = f.x - layout_.area.x - 10;
      if (t.major) root_.text({f.x - 10, y}, t.label, style).named(category_id(axis, t));
    }
  }

  // The chosen row lies on a band, with an edge at its left, as in a list.
  void chosen_row(const Axis& axis, const AxisMap& map) {
    const Rect &f = layout_.frame, &a = layout_.area;
    for (std::size_t i = 0; i < axis.category_ids.size(); ++i) {
      if (!is_chosen(plot_, axis.category_ids[i])) continue;
      const double from = std::max(map.pixel(static_cast<double>(i) - 0.5), f.y),
                   to = std::min(map.pixel(static_cast<double>(i) + 0.5), f.bottom());
      if (to - from < 4) continue;
      band_ = {a.x - 8, from, a.width + 8, to - from};
      root_.rect(band_, {.fill = Token::raised}, 4);
      root_.rect({a.x - 8, from, 3, to - from}, {.fill = Token::accent}, 1);
    }
  }

  Group clipped() const {
    Group group;
    group.clip = layout_.frame.inset(-1.5);  // half of a line that lies on its edge
    return group;
  }

  std::string name_of(std::size_t s) const {
    return plot_.series[s].id.empty() ? "series-" + std::to_string(s + 1) : plot_.series[s].id;
  }

  std::string id_of(std::size_t s, std::size_t i) const {
    const auto& ids = plot_.series[s].ids;
    return i < ids.size() && !ids[i].empty() ? ids[i] : name_of(s) + "/" + std::to_string(i);
  }

  void band(std::size_t s) {
    const Series& series = plot_.series[s];
    std::vector<Point> outline, back;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Point low = layout_.at(series.x[i], value_at(series.low, i)),
                  high = layout_.at(series.x[i], value_at(series.high, i));
      if (!std::isfinite(low.x) || !std::isfinite(low.y) || !std::isfinite(high.x) || !std::isfinite(high.y))
        continue;
      outline.push_back(high);
      back.push_back(low);
    }
    if (outline.size() < 2) return;
    outline.insert(outline.end(), back.rbegin(), back.rend());
    Color color = color_of(plot_, s);
    color.alpha *= 0.18;
    Group group = clipped();
    group.polygon(outline, {.fill = color}).named(name_of(s), series.name);
    root_.group(std::move(group));
  }

  // Links lie under the points that they join, and what is chosen over all else.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> found(plot_.series.size());
    std::iota(found.begin(), found.end(), std::size_t{0});
    const auto layer = [&](std::size_t s) {
      const Series& series = plot_.series[s];
      return series.kind == Kind::links ? 0 : is_chosen(plot_, series.id) ? 2 : 1;
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return layer(a) < layer(b); });
    return found;
  }

  void series(std::size_t s) {
    const Series& series = plot_.series[s];
    if (series.kind == Kind::band) return;
    if (series.kind == Kind::bars) return bars(s);
    if (series.kind == Kind::marks) return marks(s);
    Group lines = clipped();
    const Look look = look_of(series.provenance);
    if (series.kind == Kind::line || series.kind == Kind::step)
      for (const auto& run : runs(layout_, series))
        lines.polyline(run,
                       {color_of(plot_, s), look.line_width + (is_chosen(plot_, series.id) ? kChosenMore : 0),
                        look.dash, true});
    whiskers(s, lines);
    if (!lines.items.empty()) root_.group(std::move(lines)).named(name_of(s), series.name);
    if (series.kind == Kind::points || (series.markers && series.kind != Kind::errors &&
                                        series.kind != Kind::links && series.x.size() <= 200))
      markers(s);
  }

  void whiskers(std::size_t s, Group& group) {
    const Series& series = plot_.series[s];
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Point a = layout_.at(series.x[i], value_at(series.low, i)),
                  b = layout_.at(series.x[i], value_at(series.high, i));
      if (!std::isfinite(a.x + a.y + b.x + b.y)) continue;
      const Stroke stroke{color_of(plot_, s), 1.5};
      if (series.kind == Kind::links) {
        group.line(a, b, {color_of(plot_, s), 1});
        continue;
      }
      const Point cap = layout_.horizontal ? Point{0, 4} : Point{4, 0};
      group.line(a, b, stroke);
      group.line(a - cap, a + cap, stroke);
      group.line(b - cap, b + cap, stroke);
    }
  }

  void markers(std::size_t s) {
    const Series& series = plot_.series[s];
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Point p = layout_.at(series.x[i], value_at(series.y, i));
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !layout_.frame.inset(-0.5).contains(p)) continue;
      if (is_ringed(plot_, s, i)) root_.circle(p, kRingRadius, {.stroke = Stroke{Token::accent, 2}});
      marker(p, look_of(series.provenance).marker, color_of(plot_, s), shape_of(s), root_)
          .named(id_of(s, i), describe(plot_, s, i));
    }
  }

  // Its own, or how often the colours of series have begun anew.
  std::size_t shape_of(std::size_t s) const {
    const Series& series = plot_.series[s];
    if (series.shape) return static_cast<std::size_t>(*series.shape);
    return series.color ? 0 : s / static_cast<std::size_t>(theme::kSeriesCount);
  }

  // Hollow markers hide the line behind them, so that they read as hollow. Solid ones are discs, squares or
  // triangles, so that more than colour tells series apart.
  Item& marker(Point p, Look::Marker kind, const Color& color, std::size_t shape, Group& to) const {
    const Style hollow{.fill = plot_.ground, .stroke = Stroke{color, 2}};
    if (kind == Look::Marker::ring) return to.circle(p, 4, hollow);
    if (kind == Look::Marker::square_ring)
      return to.polygon({{p.x - 4, p.y - 4}, {p.x + 4, p.y - 4}, {p.x + 4, p.y + 4}, {p.x - 4, p.y + 4}},
                        hollow);
    const Style solid{.fill = color, .stroke = Stroke{plot_.ground, 1.5}};
    if (kind == Look::Marker::diamond)
      return to.polygon({{p.x, p.y - 7}, {p.x + 7, p.y}, {p.x, p.y + 7}, {p.x - 7, p.y}}, solid);
    if (shape % 4 == 1)
      return to.polygon({{p.x - 5, p.y - 5}, {p.x + 5, p.y - 5}, {p.x + 5, p.y + 5}, {p.x - 5, p.y + 5}},
                        solid);
    const double up = shape % 4 == 2 ? 1 : -1;
    if (shape % 4 >= 2)
      return to.polygon({{p.x, p.y - 6 * up}, {p.x + 6, p.y + 5 * up}, {p.x - 6, p.y + 5 * up}}, solid);
    return to.circle(p, 5, solid);
  }

  void bars(std::size_t s) {
    const Series& series = plot_.series[s];
    Group group = clipped();
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const Rect r = bar_rect(plot_, layout_, s, i);
      if (r.width <= 0 && r.height <= 0) continue;
      bar(r, look_of(series.provenance), color_of(plot_, s), group).named(id_of(s, i), describe(plot_, s, i));
      whisker_on_bar(s, i, r, group);
    }
    root_.group(std::move(group)).named(name_of(s), series.name);
  }

  void marks(std::size_t s) {
    Group group = clipped();
    for (std::size_t i = 0; i < plot_.series[s].x.size(); ++i)
      if (const Rect r = mark_rect(plot_, layout_, s, i); r.width > 0)
        group.rect(r, {.fill = color_of(plot_, s)}, 1).named(id_of(s, i), describe(plot_, s, i));
    root_.group(std::move(group)).named(name_of(s), plot_.series[s].name);
  }

  void whisker_on_bar(std::size_t s, std::size_t i, const Rect& r, Group& group) {
    const double low = layout_.y.pixel(value_at(plot_.series[s].low, i)),
                 high = layout_.y.pixel(value_at(plot_.series[s].high, i));
    if (!std::isfinite(low) || !std::isfinite(high)) return;
    const Point c = r.center();
    const bool turned = layout_.horizontal;
    group.line(turned ? Point{low, c.y} : Point{c.x, low}, turned ? Point{high, c.y} : Point{c.x, high},
               {Token::text, 1.5});
  }

  // The named item is the bar itself; its hatching and outline lie in the group before it.
  static Item& bar(const Rect& r, const Look& look, Color color, Group& to) {
    const double radius = std::min({3.0, r.width / 2, r.height / 2});
    Group body;
    Color fill = color;
    fill.alpha *= look.bar_opacity;
    body.rect(r, {.fill = fill}, radius);
    if (look.bar_hatched) {
      Group hatch;
      Color faint = color;  // what is only modelled stands behind what was measured
      faint.alpha *= 0.6;
      hatch.clip = r;
      hatch.clip_radius = radius;
      for (double d = 8; d < r.width + r.height; d += 8)
        hatch.line({r.x + d - r.height, r.bottom()}, {r.x + d, r.y}, {faint, 1.2});
      body.group(std::move(hatch));
    }
    // An outline of dashes would be all that is seen of a thin bar.
    const bool live = look.bar_opacity == 1;
    if (look.bar_outlined && std::min(r.width, r.height) > (live ? 2 : 8)) {
      body.rect(
          r.inset(1),
          {.stroke = Stroke{live ? Color(Token::text) : color, 2, live ? std::vector<double>{} : look.dash}},
          radius);
    }
    return to.group(std::move(body));
  }

  void legend() {
    if (layout_.legend_inside)
      root_.rect(layout_.legend_box, {.fill = Color(plot_.ground, 0.9), .stroke = Stroke{Token::line}},
                 theme::metric::kCorner);
    for (const LegendEntry& e : layout_.legend) {
      key(e);
      TextStyle style = tick_style();
      style.color = Token::text, style.baseline = Baseline::middle;
      root_.text({e.at.x + kKeyWidth + kKeyGap, e.at.y}, e.text, style).named("legend/" + name_of(e.series));
    }
  }

  // From each line's end, in its colour, to its name.
  void end_names() {
    for (const EndName& name : layout_.end_names) {
      const Color color = color_of(plot_, name.series);
      root_.line({name.end.x + 8, name.end.y}, {name.at.x - 6, name.at.y}, {Color(color), 1});
      TextStyle style = end_name_style(plot_, name.series);
      style.max_width = layout_.area.right() - name.at.x;
      Point at{name.at.x, name.at.y - kEndNameStep * static_cast<double>(name.lines.size() - 1) / 2};
      for (const std::string& line : name.lines) {
        root_.text(at, line, style).named("legend/" + name_of(name.series));
        at.y += kEndNameStep;
      }
    }
  }

  void key(const LegendEntry& e) {
    const Series& series = plot_.series[e.series];
    const Look look = look_of(series.provenance);
    Color color = color_of(plot_, e.series);
    if (series.kind == Kind::marks) {
      root_.rect({e.at.x + (kKeyWidth - kMarkWidth) / 2, e.at.y - 9, kMarkWidth, 18}, {.fill = color}, 1);
    } else if (series.kind == Kind::bars) {
      bar({e.at.x + 4, e.at.y - 7, kKeyWidth - 8, 14}, look, color, root_);
    } else if (series.kind == Kind::band) {
      color.alpha *= 0.3;
      root_.rect({e.at.x, e.at.y - 6, kKeyWidth, 12}, {.fill = color}, 2);
    } else {
      if (series.kind != Kind::points && series.kind != Kind::errors)
        root_.line(e.at, {e.at.x + kKeyWidth, e.at.y}, {color, look.line_width, look.dash});
      if (series.kind == Kind::points || series.markers)
        marker({e.at.x + kKeyWidth / 2, e.at.y}, look.marker, color, shape_of(e.series), root_);
    }
  }

  const Plot& plot_;
  const Layout& layout_;
  const TextMeasure& measure_;
  Rect band_;  // of the chosen row; empty where there is none
  Group root_;
};

}  // namespace

Group draw_plot(const Plot& plot, const Layout& layout, const TextMeasure& measure) {
  return Drawing(plot, layout, measure).draw();
}

Scene plot_scene(const Plot& plot, Size size, const TextMeasure& measure) {
  Scene scene(size, plot.ground);
  scene.root.group(draw_plot(plot, layout_plot(plot, plot_area(size), measure), measure));
  return scene;
}

}  // namespace warplens::plot
