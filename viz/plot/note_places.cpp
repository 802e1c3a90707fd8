#include <algorithm>
#include <cmath>

#include "viz/plot/plot_parts.hpp"

namespace warplens::plot {

using scene::Point, scene::Rect, scene::Size;

std::vector<Point> note_places(Point p, Size size, const Rect& frame, bool afar) {
  std::vector<Point> places;
  for (const double d : {9.0, 16.0, 28.0, 44.0})
    for (const Point c : around({p.x, p.y, 0, 0}, d, size)) places.push_back(c);
  if (!afar) return places;
  const auto near = std::ssize(places);
  for (double y = frame.y + 2; y + size.height <= frame.bottom(); y += size.height + 4)
    for (double x = frame.x + 6; x + size.width <= frame.right(); x += 8) places.push_back({x, y});
  const auto distance = [&](Point c) {
    const Point end = nearest_in({c.x, c.y, size.width, size.height}, p);
    return std::hypot(end.x - p.x, end.y - p.y);
  };
  std::stable_sort(places.begin() + near, places.end(),
                   [&](Point a, Point b) { return distance(a) < distance(b); });
  return places;
}

Point nearest_in(const Rect& box, Point p) {
  return {std::clamp(p.x, box.x, box.right()), std::clamp(p.y, box.y, box.bottom())};
}

bool needs_leader(Point end, Point p) { return std::hypot(end.x - p.x, end.y - p.y) > 13; }

double leader_cost(const Rect& box, Point p, const Obstacles& obstacles) {
  const Point end = nearest_in(box, p);
  if (!needs_leader(end, p)) return 0;
  double sum = 0;
  for (const Rect& text : obstacles.texts) sum += touches(text, p, end) ? 30 : 0;
  for (const Rect& mark : obstacles.boxes) sum += !mark.contains(p) && touches(mark, p, end) ? 10 : 0;
  // On an upright line it would be taken for that line's end.
  const auto upright_at = [&](Point a, Point b) {
    return std::max(std::abs(a.x - p.x), std::abs(b.x - p.x)) < 4;
  };
  for (const auto& [a, b] : obstacles.segments) sum += upright_at(a, b) && std::abs(end.x - p.x) < 4 ? 8 : 0;
  for (const auto& [a, b] : obstacles.leaders) sum += cross(a, b, p, end) ? 30 : 0;
  return sum + 0.08 * std::hypot(end.x - p.x, end.y - p.y);
}

bool cross(Point a, Point b, Point c, Point d) {
  // On which side of the line from p to q.
  const auto side = [](Point p, Point q, Point of) {
    return (q.x - p.x) * (of.y - p.y) - (q.y - p.y) * (of.x - p.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

}  // namespace warplens::plot
