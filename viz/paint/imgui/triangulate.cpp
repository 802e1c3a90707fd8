#include "viz/paint/imgui/imgui_painter.hpp"

namespace warplens::paint {
namespace {

using scene::Point;

double cross(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

double twice_area(const std::vector<Point>& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += cross({0, 0}, p[i], p[(i + 1) % p.size()]);
  return sum;
}

// Whether the corner at i can be cut off: it turns the right way and no other point lies in it.
bool is_ear(const std::vector<Point>& p, const std::vector<int>& ring, std::size_t i) {
  const std::size_t n = ring.size();
  const auto at = [&](std::size_t k) { return p[static_cast<std::size_t>(ring[k % n])]; };
  const Point a = at(i + n - 1), b = at(i), c = at(i + 1);
  if (cross(a, b, c) <= 0) return false;
  for (std::size_t k = 0; k < n; ++k) {
    const Point q = at(k);
    if (q == a || q == b || q == c) continue;
    if (cross(a, b, q) >= 0 && cross(b, c, q) >= 0 && cross(c, a, q) >= 0) return false;
  }
  return true;
}

}  // namespace

// Ear clipping (Meisters 1975). A corner after the one just cut comes first, so that long bands take few
// tries.
std::vector<int> triangulate(const std::vector<Point>& polygon) {
  std::vector<int> ring, triangles;
  const int n = static_cast<int>(polygon.size());
  const bool turned = twice_area(polygon) < 0;
  for (int i = 0; i < n; ++i) ring.push_back(turned ? n - 1 - i : i);
  for (std::size_t i = 0, tries = 0; ring.size() > 2;) {
    const std::size_t k = i % ring.size();
    // After a whole round without an ear the polygon crosses itself or is flat: cut on, to end.
    if (!is_ear(polygon, ring, k) && tries++ < ring.size()) {
      ++i;
      continue;
    }
    tries = 0;
    triangles.push_back(ring[(k + ring.size() - 1) % ring.size()]);
    triangles.push_back(ring[k]);
    triangles.push_back(ring[(k + 1) % ring.size()]);
    ring.erase(ring.begin() + static_cast<long>(k));
    i = k + 1;
  }
  return triangles;
}

}  // namespace warplens::paint
