#include <algorithm>
#include <cmath>

#include "viz/plot/plot_layout.hpp"
#include "viz/plot/plot_parts.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::plot {
namespace {

using namespace scene;
using Kind = Series::Kind;

class Labelling {
 public:
  Labelling(Group& root, const Plot& plot, const Layout& layout, const TextMeasure& measure, const Rect& band)
      : root_(root),
        plot_(plot),
        layout_(layout),
        measure_(measure),
        band_(band),
        obstacles_(obstacles_of(plot, layout)) {
    if (layout.legend_inside) obstacles_.texts.push_back(layout.legend_box.inset(-4));
  }

  void draw() {
    for (const bool bars : {true, false}) {  // what must stand at one place comes first
      for (std::size_t i = 0; i < plot_.series.size(); ++i)
        if ((plot_.series[i].kind == Kind::bars) == bars) labels(i);
      if (!bars) break;
      for (std::size_t i = 0; i < plot_.series.size(); ++i)
        if (plot_.series[i].kind != Kind::bars) numbers(i);
      for (const Annotation& a : plot_.annotations) annotation_line(a);
      for (const Annotation& a : plot_.annotations) annotation_text(a);
    }
  }

 private:
  // Where a line across the plot stands, flat or upright; nothing for what is no line or not shown.
  struct LineAt {
    bool flat;
    double at;
  };
  std::optional<LineAt> line_of(const Annotation& a) const {
    if (a.kind == Annotation::Kind::note) return std::nullopt;
    const bool flat = (a.kind == Annotation::Kind::horizontal) != layout_.horizontal;
    const double at = a.kind == Annotation::Kind::horizontal ? layout_.y.pixel(a.y) : layout_.x.pixel(a.x);
    if (!std::isfinite(at) || !is_shown(layout_, at, !flat)) return std::nullopt;
    return LineAt{flat, at};
  }

  // Stops before the labels of bars and goes on behind them: a number that a line runs through is hard to
  // read.
  void annotation_line(const Annotation& a) {
    const auto line = line_of(a);
    if (!line) return;
    constexpr double margin = 3;
    const Rect& f = layout_.frame;
    const double at = line->at, start = line->flat ? f.x : f.y, end = line->flat ? f.right() : f.bottom();
    std::vector<std::pair<double, double>> gaps;
    for (const Rect& label : bar_labels_) {
      const Rect box = label.inset(-margin);
      if (line->flat ? box.y <= at && at <= box.bottom() : box.x <= at && at <= box.right())
        gaps.push_back(line->flat ? std::pair(box.x, box.right()) : std::pair(box.y, box.bottom()));
    }
    std::sort(gaps.begin(), gaps.end());
    gaps.emplace_back(end, end);
    double from = start;
    for (const auto& [low, high] : gaps) {
      const double to = std::min(low, end);
      if (to > from)
        root_.line(line->flat ? Point{from, at} : Point{at, from}, line->flat ? Point{to, at} : Point{at, to},
                   {a.color, 1.5, {4, 4}});
      from = std::max(from, high);
    }
  }

  void annotation_text(const Annotation& a) {
    const Rect& f = layout_.frame;
    if (a.kind == Annotation::Kind::note) return note(layout_.at(a.x, a.y), a.text, a.color, true);
    const auto line = line_of(a);
    if (!line || a.text.empty()) return;
    const double at = line->at;
    const Size size{measure_.width(a.text, note_style()), 16};
    const double r = f.right() - 4 - size.width, l = f.x + 10, m = (l + r) / 2;
    if (line->flat)
      return void(put(a.text, a.color, size,
                      {{r, at - 20}, {l, at - 20}, {m, at - 20}, {r, at + 4}, {l, at + 4}, {m, at + 4}}));
    std::vector<Point> candidates;
    if (layout_.horizontal)  // layout_plot leaves a row above the frame
      candidates.push_back(
          {std::clamp(at - size.width / 2, f.x, std::max(f.x, f.right() - size.width)), f.y - 18});
    for (const Point p :
         {Point{at + 6, f.y + 2}, Point{at - 6 - size.width, f.y + 2}, Point{at + 6, f.y + f.height / 2},
          Point{at + 6, f.bottom() - 20}, Point{at - 6 - size.width, f.bottom() - 20}})
      candidates.push_back(p);
    put(a.text, a.color, size, candidates);
  }

  // Whether a text at a point is shown.
  bool is_labelled(Point p, const std::string& text) const {
    return !text.empty() && std::isfinite(p.x) && std::isfinite(p.y) && layout_.frame.inset(-1).contains(p);
  }

  // A text beside a point, where it covers least; with a thin line to it where it had to go far.
  void note(Point p, const std::string& text, const Color& color, bool dot) {
    if (!is_labelled(p, text)) return;
    const Size size = note_size(text);
    const std::vector<Point> candidates =
        dot ? note_places(p, size, layout_.frame, false) : label_places(p, size, obstacles_);
    if (candidates.empty()) return;
    const Rect box = put(text, color, size, candidates, p);
    const Point end = nearest_in(box, p);
    if (needs_leader(end, p)) {
      root_.line(p, end, {Color(Token::dim, 0.8), 1});
      obstacles_.leaders.emplace_back(p, end);
    }
    if (dot) root_.circle(p, 3, {.fill = color});
  }

  Size note_size(const std::string& text) const { return {measure_.width(text, note_style()), 16}; }

  // The label of a point may be left out, as pointing at it tells the same; a note may not.
  std::vector<Point> label_places(Point p, Size size, const Obstacles& obstacles) const {
    std::vector<Point> places = note_places(p, size, layout_.frame, true);
    std::erase_if(places, [&](Point c) {
      const Rect box{c.x, c.y, size.width, size.height};
      return covers_text(box, layout_, obstacles) || covers_marker(box, p);
    });
    return places;
  }

  struct Label {
    Point at;
    std::string text;
  };

  // How far labels would stand from their points, placed in this order: the sum of squares, as one far away
  // is worse than several at some distance; worse is a line to one that crosses the text of another, and
  // worst one that finds no place.
  double distance_of(const std::vector<Label>& labels) const {
    Obstacles obstacles = obstacles_;
    double sum = 0;
    for (const Label& label : labels) {
      const Size size = note_size(label.text);
      const auto places = label_places(label.at, size, obstacles);
      if (places.empty()) {
        sum += 1e6;
        continue;
      }
      const Rect box = best_of(size, places, label.at, obstacles);
      const Point end = nearest_in(box, label.at);
      const auto crosses = [&](const auto& line) { return scene::touches(box, line.first, line.second); };
      const auto is_crossed = [&](const Rect& text) { return scene::touches(text, label.at, end); };
      sum += kCrossing * static_cast<double>(std::ranges::count_if(obstacles.leaders, crosses));
      const bool far = needs_leader(end, label.at);
      const auto crosses_line = [&](const auto& line) {
        return cross(line.first, line.second, label.at, end);
      };
      if (far)
        sum += kCrossing * static_cast<double>(std::ranges::count_if(obstacles.texts, is_crossed) +
                                               std::ranges::count_if(obstacles.leaders, crosses_line));
      obstacles.texts.push_back(box);
      if (!far) continue;
      obstacles.leaders.emplace_back(label.at, end);
      const Point away = end - label.at;
      sum += away.x * away.x + away.y * away.y;
    }
    return sum;
  }
  static constexpr double kCrossing = 300 * 300;

  // The first ones take the room: from the left or from the right, as the lines to the labels are shorter.
  // Where one crosses a text or another line all the same, they go from the top or from below, or one of the
  // others goes first.
  void labels_of_points(std::vector<Label> labels) {
    constexpr double near = 60 * 60;
    double least = distance_of(labels);
    const auto prefer = [&](std::vector<Label> order) {
      if (const double sum = distance_of(order); sum < least) least = sum, labels = std::move(order);
    };
    if (least > near) prefer({labels.rbegin(), labels.rend()});
    if (least >= kCrossing) {
      std::vector<Label> order = labels;
      std::ranges::stable_sort(order, {}, [](const Label& label) { return label.at.y; });
      prefer(order);
      prefer({order.rbegin(), order.rend()});
    }
    for (std::size_t i = 1; i < labels.size() && least >= kCrossing; ++i) {
      std::vector<Label> order = labels;
      std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i),
                  order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      prefer(std::move(order));
    }
    for (const Label& label : labels) note(label.at, label.text, Token::text, false);
  }

  // A marker other than the one at p.
  bool covers_marker(const Rect& box, Point p) const {
    return std::any_of(obstacles_.boxes.begin(), obstacles_.boxes.end(),
                       [&](const Rect& other) { return !other.contains(p) && overlaps(box, other); });
  }

  // Inside the frame always; among the candidates the one that covers least, the earlier the better. of: the
  // point that it belongs to.
  Rect put(const std::string& text, const Color& color, Size size, const std::vector<Point>& candidates,
           std::optional<Point> of = std::nullopt) {
    const Rect best = best_of(size, candidates, of, obstacles_);
    // Where it must lie on a line, it hides the line's piece.
    if (obstacles_.cost(best.inset(-1)) > 0)
      root_.rect(best.inset(-1), {.fill = Color(plot_.ground, 0.85)}, 2);
    obstacles_.texts.push_back(best);
    TextStyle style = note_style();
    style.color = color, style.baseline = Baseline::middle, style.max_width = layout_.area.width;
    root_.text({best.x, best.y + best.height / 2}, text, style);
    return best;
  }

  Rect best_of(Size size, const std::vector<Point>& candidates, std::optional<Point> of,
               const Obstacles& obstacles) const {
    double least = 1e30, late = 0;
    Rect best;
    for (const Point c : candidates) {
      const Rect box{c.x, c.y, size.width, size.height};
      const Rect& f = layout_.frame;
      const double top = layout_.horizontal ? f.y - 18 : f.y - 2;
      const bool fits =
          box.x >= f.x && box.right() <= f.right() && box.y >= top && box.bottom() <= f.bottom();
      const double cost = obstacles.cost(box.inset(-1)) + (of ? leader_cost(box, *of, obstacles) : 0) +
                          (fits ? 0 : 1000) + (late += 0.1);
      if (cost < least) least = cost, best = box;
    }
    best.x = std::clamp(best.x, layout_.area.x, std::max(layout_.area.x, layout_.area.right() - best.width));
    return best;
  }

  static bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  }

  std::vector<NumberedPoint> numbered_points(std::size_t s) const {
    const Series& series = plot_.series[s];
    std::vector<NumberedPoint> found;
    for (std::size_t i = 0; i < std::min(series.labels.size(), series.x.size()); ++i) {
      const Point p = layout_.at(series.x[i], value_at(series.y, i));
      if (is_number(series.labels[i]) && std::isfinite(p.x) && std::isfinite(p.y) &&
          layout_.frame.inset(-1).contains(p))
        found.push_back({series.labels[i], marker_box(plot_, s, i, p)});
    }
    return found;
  }

  // Beside each its own where all have room; else those that have none join their neighbours.
  void numbers(std::size_t s) {
    for (const NumberLabel& label : number_labels(numbered_points(s), layout_, obstacles_, measure_))
      put(label.text, Token::text, {label.at.width, label.at.height}, {{label.at.x, label.at.y}});
  }

  void labels(std::size_t s) {
    const Series& series = plot_.series[s];
    std::vector<Label> of_points;
    for (std::size_t i = 0; i < std::min(series.labels.size(), series.x.size()); ++i) {
      const Point at = layout_.at(series.x[i], value_at(series.y, i));
      if (series.kind == Kind::bars && !std::isfinite(value_at(series.y, i)))
        missing_bar_label(series.labels[i], layout_.x.pixel(series.x[i]));
      else if (series.kind == Kind::bars)
        bar_label(series.labels[i], bar_rect(plot_, layout_, s, i), is_first_bars(s));
      else if (series.kind == Kind::marks && !series.labels[i].empty())
        bar_label(series.labels[i], mark_rect(plot_, layout_, s, i), true);
      else if (series.kind != Kind::marks && !is_number(series.labels[i]) &&
               is_labelled(at, series.labels[i]))
        of_points.push_back({at, series.labels[i]});
    }
    labels_of_points(std::move(of_points));
  }

  bool covers_mark(const Rect& box) const {
    for (std::size_t s = 0; s < plot_.series.size(); ++s)
      for (std::size_t i = 0; plot_.series[s].kind == Kind::marks && i < plot_.series[s].x.size(); ++i)
        if (overlaps(box, mark_rect(plot_, layout_, s, i))) return true;
    return false;
  }

  // Where a label of this box may begin so that no mark runs through it: behind the marks, where it has room
  // there and not `far` from its bar; else where it was.
  double behind_marks(const Rect& box, double far) const {
    Rect moved = box;
    while (const auto end = end_of_crossing(moved)) moved.x = *end + 7;
    return moved.right() <= layout_.area.right() && moved.x - box.x < far ? moved.x : box.x;
  }
  bool is_crossed(const Rect& box) const { return end_of_crossing(box).has_value(); }

  // Of a mark or an upright line that runs through this box, the right edge.
  std::optional<double> end_of_crossing(const Rect& box) const {
    const Rect wide = box.inset(-3);
    for (std::size_t s = 0; s < plot_.series.size(); ++s)
      for (std::size_t i = 0; plot_.series[s].kind == Kind::marks && i < plot_.series[s].x.size(); ++i)
        if (const Rect mark = mark_rect(plot_, layout_, s, i); overlaps(wide, mark)) return mark.right();
    for (const Annotation& a : plot_.annotations)
      if (const auto line = line_of(a); line && !line->flat && wide.x <= line->at && line->at <= wide.right())
        return line->at;
    return std::nullopt;
  }

  bool covers_bar(const Rect& box) const {
    for (std::size_t s = 0; s < plot_.series.size(); ++s)
      for (std::size_t i = 0; plot_.series[s].kind == Kind::bars && i < plot_.series[s].x.size(); ++i)
        if (overlaps(box, bar_rect(plot_, layout_, s, i))) return true;
    return covers_mark(box);
  }

  // What hides a piece of a bar behind a label.
  Color ground_at(const Rect& box) const {
    return Color(band_.contains(box.center()) ? Token::raised : plot_.ground);
  }

  bool is_free(const Rect& box) {
    for (const Rect& other : bar_labels_)
      if (overlaps(box, other)) return false;
    bar_labels_.push_back(box);
    obstacles_.texts.push_back(box);
    return true;
  }

  bool is_first_bars(std::size_t s) const {
    return std::none_of(plot_.series.begin(), plot_.series.begin() + static_cast<std::ptrdiff_t>(s),
                        [](const Series& before) { return before.kind == Kind::bars; });
  }

  // In the row of a bar that is not there, where it would begin.
  void missing_bar_label(const std::string& text, double y) {
    const Rect& f = layout_.frame;
    if (!layout_.horizontal || text.empty() || y < f.y || y > f.bottom()) return;
    TextStyle style = note_style();
    style.baseline = Baseline::middle, style.color = Token::dim;
    Rect box{f.x + 8, y - 5.5, measure_.width(text, style), 11};
    box.x = behind_marks(box, f.width);
    if (!is_free(box)) return;
    if (covers_mark(box)) root_.rect(box.inset(-3), {.fill = ground_at(box)}, 2);
    root_.text({box.x, y}, text, style);
  }

  // Of a bar that lies: where its label stands, and whether that is beyond its end or in it.
  struct BarLabel {
    std::string text;
    Rect box;
    bool beyond;
  };
  BarLabel beside_bar(std::string text, const Rect& r) const {
    const double width = measure_.width(text, note_style());
    const Rect& f = layout_.frame;
    const double inside = std::min(r.right(), f.right()) - 8 - width;
    bool beyond = r.right() + 8 + width <= layout_.area.right();
    Rect box{r.right() + 8, r.center().y - 5.5, width, 11};
    // A mark beside the bar: behind it where that is near, else in the bar, else behind it after all.
    constexpr double near = 60;
    if (beyond && is_crossed(box)) {
      const double behind = behind_marks(box, near);
      if (behind != box.x)
        box.x = behind;
      else if (r.height >= kLabelHeight && inside - 8 >= r.x && !is_crossed({inside, box.y, width, 11}))
        beyond = false;
      else
        box.x = behind_marks(box, f.width);
    }
    if (!beyond) box.x = inside;
    return {std::move(text), box, beyond};
  }

  // Where a mark would run through all of "13.2 · 2.4× step 1", its first part stands alone.
  BarLabel clear_of_marks(const std::string& text, const Rect& r) const {
    BarLabel whole = beside_bar(text, r);
    const std::size_t parts = text.find(" · ");
    if (parts == std::string::npos || !is_crossed(whole.box)) return whole;
    BarLabel first = beside_bar(text.substr(0, parts), r);
    return is_crossed(first.box) ? whole : first;
  }

  void lying_bar_label(const std::string& text, const Rect& r) {
    if (r.center().y < layout_.frame.y || r.center().y > layout_.frame.bottom()) return;
    const auto [shown, box, beyond] = clear_of_marks(text, r);
    if (!is_free(box)) return;
    TextStyle style = note_style();
    style.baseline = Baseline::middle, style.anchor = beyond ? Anchor::start : Anchor::end;
    style.color = beyond ? Token::text : Token::background;
    // Thin bars stand so close that the label reaches over the next one.
    if (beyond && covers_bar(box))
      root_.rect({box.x - 3, box.y - 1, box.width + 6, box.height + 2}, {.fill = ground_at(box)}, 2);
    root_.text({beyond ? box.x : box.right(), r.center().y}, shown, style);
  }

  // Beyond the bar's end; left out where it would leave the frame or cover another one. Of bars thinner than
  // a line of text only the first series has labels.
  void bar_label(const std::string& text, const Rect& r, bool is_first) {
    if (layout_.horizontal && r.height < 10 && !is_first) return;
    if (layout_.horizontal) return lying_bar_label(text, r);
    TextStyle style = note_style();
    const double width = measure_.width(text, style);
    const Rect& f = layout_.frame;
    const Rect box{r.center().x - width / 2, r.y - 20, width, 16};
    if (box.x < layout_.area.x || box.right() > layout_.area.right() || box.y < f.y - 12) return;
    if (!is_free(box)) return;
    style.anchor = Anchor::middle, style.baseline = Baseline::middle;
    root_.text(box.center(), text, style);
  }

  Group& root_;
  const Plot& plot_;
  const Layout& layout_;
  const TextMeasure& measure_;
  const Rect& band_;
  Obstacles obstacles_;
  std::vector<Rect> bar_labels_;
};

}  // namespace

void add_labels(Group& root, const Plot& plot, const Layout& layout, const TextMeasure& measure,
                const Rect& band) {
  Labelling(root, plot, layout, measure, band).draw();
}

}  // namespace warplens::plot
