// Points, sizes and rectangles of a scene. Units: scene pixels (one pixel of the screen at scale 1), y grows
// downwards.
#pragma once

#include <optional>

namespace warplens::scene {

struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, double k) { return {a.x * k, a.y * k}; }

struct Size {
  double width = 0, height = 0;
  bool operator==(const Size&) const = default;
};

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool contains(Point p) const { return p.x >= x && p.y >= y && p.x < right() && p.y < bottom(); }
  // Smaller by so much on each side; larger for negative values.
  Rect inset(double by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
  Rect moved(Point by) const { return {x + by.x, y + by.y, width, height}; }
  bool operator==(const Rect&) const = default;
};

bool overlaps(const Rect& a, const Rect& b);
std::optional<Rect> intersection(const Rect& a, const Rect& b);
Rect bounding(const Rect& a, const Rect& b);

// Whether the segment from a to b touches the rectangle.
bool touches(const Rect& rect, Point a, Point b);
double distance_to_segment(Point p, Point a, Point b);

}  // namespace warplens::scene
