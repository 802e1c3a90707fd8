// Paths: lines and cubic curves, made by hand or by the small functions below; flattened and dashed for
// painters and for hit tests, so that these agree. A filled path is a set of simple outlines that do not
// overlap (no holes).
#pragma once

#include <vector>

#include "viz/scene/geometry.hpp"

namespace warplens::scene {

struct Segment {
  enum class Kind { move, line, cubic, close } kind = Kind::move;
  Point to = {}, control_1 = {}, control_2 = {};
  bool operator==(const Segment&) const = default;
};

struct Path {
  std::vector<Segment> segments;

  Path& move_to(Point p) { return segments.push_back({Segment::Kind::move, p, {}, {}}), *this; }
  Path& line_to(Point p) { return segments.push_back({Segment::Kind::line, p, {}, {}}), *this; }
  Path& curve_to(Point c1, Point c2, Point p) {
    return segments.push_back({Segment::Kind::cubic, p, c1, c2}), *this;
  }
  Path& close() { return segments.push_back({Segment::Kind::close, {}, {}, {}}), *this; }
  bool operator==(const Path&) const = default;
};

Path polyline(const std::vector<Point>& points);
Path polygon(const std::vector<Point>& points);
Path circle_path(Point center, double radius);
Path rounded_rect_path(const Rect& rect, double radius);
// A straight shaft and a filled head that ends at `to`. Head: as long and as wide as `head`, shorter on a
// short arrow.
Path arrow_path(Point from, Point to, double head);

struct Outline {
  std::vector<Point> points;  // without repeating the first
  bool closed = false;
};

// Curves become chords that miss them by at most `tolerance`.
std::vector<Outline> flatten(const Path& path, double tolerance = 0.1);

// The drawn pieces of a dashed line; `pattern` is lengths drawn and left out by turns, as in SVG. An empty
// pattern, or one whose sum is not positive, gives the outline itself.
std::vector<Outline> dashed(const Outline& outline, const std::vector<double>& pattern);

bool inside(const std::vector<Outline>& outlines, Point p);  // even-odd
double distance(const std::vector<Outline>& outlines, Point p);
Rect bounds(const Path& path);

}  // namespace warplens::scene
