#include <algorithm>
#include <cmath>
#include <optional>

#include "viz/plot/plot_parts.hpp"

namespace warplens::plot {
namespace {

using scene::Point, scene::Rect, scene::Size;

constexpr double kMarkerSize = 10, kTextHeight = 16;

// Points with one label.
struct Cluster {
  std::vector<std::string> numbers;
  Rect marks;  // around their markers

  std::string text() const {
    std::string all;
    for (const std::string& number : numbers) all += (all.empty() ? "" : ", ") + number;
    return all;
  }
};

bool covers_marker(const Rect& box, const Obstacles& obstacles) {
  return std::any_of(obstacles.boxes.begin(), obstacles.boxes.end(),
                     [&](const Rect& other) { return overlaps(box, other); });
}

// Of the places around the markers the one that covers least.
std::optional<Rect> place_for(const Cluster& cluster, const Layout& layout, const Obstacles& obstacles,
                              const scene::TextMeasure& measure) {
  const Size size{measure.width(cluster.text(), note_style()), kTextHeight};
  std::optional<Rect> best;
  double least = 1e30, late = 0;
  for (const double d : {5.0, 9.0})
    for (const Point c : around(cluster.marks, d, size)) {
      const Rect box{c.x, c.y, size.width, size.height};
      const Rect& f = layout.frame;
      if (box.y < f.y - 2 || box.bottom() > f.bottom() || covers_text(box, layout, obstacles) ||
          covers_marker(box, obstacles))
        continue;
      const double cost = obstacles.cost(box.inset(-1)) + (late += 0.1);
      if (cost < least) least = cost, best = box;
    }
  return best;
}

double distance(const Rect& a, const Rect& b) {
  const double x = std::max({a.x - b.right(), b.x - a.right(), 0.0}),
               y = std::max({a.y - b.bottom(), b.y - a.bottom(), 0.0});
  return std::hypot(x, y);
}

Rect around_both(const Rect& a, const Rect& b) {
  const double left = std::min(a.x, b.x), top = std::min(a.y, b.y);
  return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

// The second one into the first one.
void merge_pair(std::vector<Cluster>& clusters, std::size_t into, std::size_t from) {
  Cluster &a = clusters[into], &b = clusters[from];
  a.numbers.insert(a.numbers.end(), b.numbers.begin(), b.numbers.end());
  std::sort(a.numbers.begin(), a.numbers.end(),
            [](const auto& x, const auto& y) { return std::pair(x.size(), x) < std::pair(y.size(), y); });
  a.marks = around_both(a.marks, b.marks);
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(from));
}

// Into the nearest other one.
void merge(std::vector<Cluster>& clusters, std::size_t from) {
  std::size_t into = from == 0 ? 1 : 0;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    if (i != from && distance(clusters[i].marks, clusters[from].marks) <
                         distance(clusters[into].marks, clusters[from].marks))
      into = i;
  merge_pair(clusters, into, from);
}

// Two of which one marker lies mostly on the other's; whether there were any.
bool merge_covered(std::vector<Cluster>& clusters) {
  for (std::size_t i = 0; i < clusters.size(); ++i)
    for (std::size_t k = i + 1; k < clusters.size(); ++k) {
      const Point a = clusters[i].marks.center(), b = clusters[k].marks.center();
      if (std::hypot(a.x - b.x, a.y - b.y) >= 0.7 * kMarkerSize) continue;
      merge_pair(clusters, i, k);
      return true;
    }
  return false;
}

// Of as many clusters as find a place, in their order; up to the first that finds none.
std::vector<NumberLabel> labels_of(const std::vector<Cluster>& clusters, const Layout& layout,
                                   Obstacles obstacles, const scene::TextMeasure& measure) {
  std::vector<NumberLabel> labels;
  for (const Cluster& cluster : clusters) {
    const auto place = place_for(cluster, layout, obstacles, measure);
    if (!place) break;
    labels.push_back({cluster.text(), *place});
    obstacles.texts.push_back(*place);
  }
  return labels;
}

}  // namespace

bool covers_text(const Rect& box, const Layout& layout, const Obstacles& obstacles) {
  constexpr double gap = 5;  // or two numbers beside each other would read as one
  const Rect wide{box.x - gap, box.y, box.width + 2 * gap, box.height};
  return box.right() > layout.area.right() || box.x < layout.area.x ||
         std::any_of(obstacles.texts.begin(), obstacles.texts.end(),
                     [&](const Rect& other) { return overlaps(wide, other); });
}

std::array<Point, 8> around(const Rect& r, double distance, Size size) {
  const double w = size.width, h = size.height, a = distance * 0.7;
  const Point c = r.center();
  return {{{r.right() + distance, c.y - h / 2},
           {r.x - distance - w, c.y - h / 2},
           {c.x - w / 2, r.y - distance - h},
           {c.x - w / 2, r.bottom() + distance},
           {r.right() + a, r.y - a - h},
           {r.right() + a, r.bottom() + a},
           {r.x - a - w, r.y - a - h},
           {r.x - a - w, r.bottom() + a}}};
}

std::vector<NumberLabel> number_labels(const std::vector<NumberedPoint>& points, const Layout& layout,
                                       const Obstacles& obstacles, const scene::TextMeasure& measure) {
  std::vector<Cluster> clusters;
  for (const auto& [number, marker] : points) clusters.push_back({{number}, marker});
  while (merge_covered(clusters)) {
  }
  while (true) {
    std::vector<NumberLabel> labels = labels_of(clusters, layout, obstacles, measure);
    // No room for even one: pointing at the marks tells the same.
    if (labels.size() == clusters.size() || clusters.size() < 2) return labels;
    merge(clusters, labels.size());
  }
}

}  // namespace warplens::plot
