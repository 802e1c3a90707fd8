#include "viz/scene/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::scene {

bool overlaps(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

std::optional<Rect> intersection(const Rect& a, const Rect& b) {
  const double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  const double right = std::min(a.right(), b.right()), bottom = std::min(a.bottom(), b.bottom());
  if (right <= x || bottom <= y) return std::nullopt;
  return Rect{x, y, right - x, bottom - y};
}

Rect bounding(const Rect& a, const Rect& b) {
  const double x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

// Liang and Barsky (1984): the part of the segment inside each pair of edges, if any is left.
bool touches(const Rect& rect, Point a, Point b) {
  double t0 = 0, t1 = 1;
  const auto keep = [&](double step, double room) {
    if (step == 0) return room >= 0;
    const double t = room / step;
    if (step < 0)
      t0 = std::max(t0, t);
    else
      t1 = std::min(t1, t);
    return t0 <= t1;
  };
  const Point d = b - a;
  return keep(-d.x, a.x - rect.x) && keep(d.x, rect.right() - a.x) && keep(-d.y, a.y - rect.y) &&
         keep(d.y, rect.bottom() - a.y);
}

double distance_to_segment(Point p, Point a, Point b) {
  const Point d = b - a, q = p - a;
  const double length = d.x * d.x + d.y * d.y;
  const double t = length > 0 ? std::clamp((q.x * d.x + q.y * d.y) / length, 0.0, 1.0) : 0;
  return std::hypot(q.x - t * d.x, q.y - t * d.y);
}

}  // namespace warplens::scene
