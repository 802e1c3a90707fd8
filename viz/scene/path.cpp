#include "viz/scene/path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::scene {
namespace {

// The control points of a quarter of a circle lie this share of the radius along its tangents (error below
// 0.03 %).
constexpr double kQuarter = 0.5522847498;

Point on_curve(Point a, Point b, Point c, Point d, double t) {
  const double s = 1 - t;
  return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t);
}

// Enough chords for the tolerance: the second derivative bounds the sagitta (Wang's formula).
int chords(Point a, Point b, Point c, Point d, double tolerance) {
  const Point p = a - b * 2 + c, q = b - c * 2 + d;
  const double bend = std::max(std::hypot(p.x, p.y), std::hypot(q.x, q.y));
  return std::clamp(static_cast<int>(std::ceil(std::sqrt(0.75 * bend / tolerance))), 1, 256);
}

void add_curve(std::vector<Point>& points, const Segment& s, double tolerance) {
  const Point from = points.back();
  const int n = chords(from, s.control_1, s.control_2, s.to, tolerance);
  for (int i = 1; i <= n; ++i)
    points.push_back(on_curve(from, s.control_1, s.control_2, s.to, static_cast<double>(i) / n));
}

template <class Visit>
void for_each_edge(const Outline& outline, Visit&& visit) {
  const auto& p = outline.points;
  for (std::size_t i = 1; i < p.size(); ++i) visit(p[i - 1], p[i]);
  if (outline.closed && p.size() > 1) visit(p.back(), p.front());
}

}  // namespace

Path polyline(const std::vector<Point>& points) {
  Path path;
  for (const Point p : points) path.segments.empty() ? path.move_to(p) : path.line_to(p);
  return path;
}

Path polygon(const std::vector<Point>& points) { return polyline(points).close(); }

Path circle_path(Point c, double r) { return rounded_rect_path({c.x - r, c.y - r, 2 * r, 2 * r}, r); }

Path rounded_rect_path(const Rect& q, double radius) {
  const double r = std::min({radius, q.width / 2, q.height / 2});
  if (r <= 0) return polygon({{q.x, q.y}, {q.right(), q.y}, {q.right(), q.bottom()}, {q.x, q.bottom()}});
  const double k = r * (1 - kQuarter), x1 = q.right(), y1 = q.bottom();
  Path path;
  path.move_to({q.x + r, q.y}).line_to({x1 - r, q.y}).curve_to({x1 - k, q.y}, {x1, q.y + k}, {x1, q.y + r});
  path.line_to({x1, y1 - r}).curve_to({x1, y1 - k}, {x1 - k, y1}, {x1 - r, y1});
  path.line_to({q.x + r, y1}).curve_to({q.x + k, y1}, {q.x, y1 - k}, {q.x, y1 - r});
  return path.line_to({q.x, q.y + r}).curve_to({q.x, q.y + k}, {q.x + k, q.y}, {q.x + r, q.y}).close();
}

Path arrow_path(Point from, Point to, double head) {
  const Point d = to - from;
  const double length = std::hypot(d.x, d.y);
  Path path;
  if (length <= 0) return path;
  const double size = std::min(head, length);
  const Point along = d * (size / length), across = Point{-d.y, d.x} * (size / 2 / length), base = to - along;
  // The shaft ends inside the head, so that its square end never shows beyond the tip.
  path.move_to(from).line_to(base + along * 0.25);
  return path.move_to(to).line_to(base + across).line_to(base - across).close();
}

std::vector<Outline> flatten(const Path& path, double tolerance) {
  std::vector<Outline> outlines;
  Point start;
  for (const Segment& s : path.segments) {
    if (s.kind == Segment::Kind::move || outlines.empty()) {
      outlines.push_back({{s.kind == Segment::Kind::close ? Point{} : s.to}, false});
      start = outlines.back().points.front();
      continue;
    }
    if (outlines.back().closed) outlines.push_back({{start}, false});
    auto& points = outlines.back().points;
    // Points that repeat have no direction: painters that join lines would draw a spur there.
    if (s.kind == Segment::Kind::line && distance_to_segment(s.to, points.back(), points.back()) > 1e-9)
      points.push_back(s.to);
    if (s.kind == Segment::Kind::cubic) add_curve(points, s, tolerance);
    if (s.kind == Segment::Kind::close) outlines.back().closed = true;
    const bool repeats = outlines.back().closed && points.size() > 1 && points.back() == points.front();
    if (repeats) points.pop_back();
  }
  return outlines;
}

std::vector<Outline> dashed(const Outline& outline, const std::vector<double>& pattern) {
  double sum = 0;
  for (const double length : pattern) sum += length;
  if (!(sum > 0) || *std::min_element(pattern.begin(), pattern.end()) < 0) return {outline};
  std::vector<Outline> pieces;
  std::size_t at = 0;
  double left = pattern[0];
  bool drawn = true;
  if (!outline.points.empty()) pieces.push_back({{outline.points.front()}, false});
  for_each_edge(outline, [&](Point a, Point b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    double done = 0;
    while (length - done > left) {
      done += left;
      const Point p = a + (b - a) * (done / length);
      if (drawn)
        pieces.back().points.push_back(p);
      else
        pieces.push_back({{p}, false});
      drawn = !drawn;
      left = pattern[++at % pattern.size()];
    }
    left -= length - done;
    if (drawn) pieces.back().points.push_back(b);
  });
  return pieces;
}

bool inside(const std::vector<Outline>& outlines, Point p) {
  bool in = false;
  for (const Outline& outline : outlines) {
    Outline ring = outline;
    ring.closed = true;  // filling closes every outline
    for_each_edge(ring, [&](Point a, Point b) {
      if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) in = !in;
    });
  }
  return in;
}

double distance(const std::vector<Outline>& outlines, Point p) {
  double least = std::numeric_limits<double>::infinity();
  for (const Outline& outline : outlines)
    for_each_edge(outline, [&](Point a, Point b) { least = std::min(least, distance_to_segment(p, a, b)); });
  return least;
}

Rect bounds(const Path& path) {
  bool first = true;
  Rect box;
  for (const Outline& outline : flatten(path))
    for (const Point p : outline.points) {
      box = first ? Rect{p.x, p.y, 0, 0} : bounding(box, {p.x, p.y, 0, 0});
      first = false;
    }
  return box;
}

}  // namespace warplens::scene
