#include "viz/scene/scene.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::scene {
namespace {

Item& add(Group& group, Shape shape) { return group.items.emplace_back(Item{std::move(shape)}); }

}  // namespace

Item& Group::rect(const Rect& r, Style style, double radius) {
  return add(*this, RectShape{r, radius, std::move(style)});
}

Item& Group::line(Point from, Point to, Stroke stroke) {
  return add(*this, LineShape{from, to, std::move(stroke)});
}

Item& Group::polyline(const std::vector<Point>& points, Stroke stroke) {
  return path(scene::polyline(points), {.stroke = std::move(stroke)});
}

Item& Group::polygon(const std::vector<Point>& points, Style style) {
  return path(scene::polygon(points), std::move(style));
}

Item& Group::circle(Point center, double radius, Style style) {
  return path(circle_path(center, radius), std::move(style));
}

Item& Group::path(Path p, Style style) { return add(*this, PathShape{std::move(p), std::move(style)}); }

Item& Group::arrow(Point from, Point to, Stroke stroke, double head) {
  const Color color = stroke.color;
  const Point d = to - from;
  const double length = std::hypot(d.x, d.y);
  // The stroke runs around the head too and would pass the tip: by half its width over the sine of half its
  // angle.
  const double beyond = std::min(1.118 * stroke.width, length);
  if (length > 0) to = to - d * (beyond / length);
  return path(arrow_path(from, to, std::max(0.0, head - beyond)),
              {.fill = color, .stroke = std::move(stroke)});
}

Item& Group::text(Point at, std::string text, TextStyle style) {
  return add(*this, TextShape{at, std::move(text), std::move(style)});
}

Item& Group::image(const Rect& r, SharedPixels pixels) {
  if (!pixels) return add(*this, Group{});
  return add(*this, ImageShape{r, std::move(pixels), 1});
}

Item& Group::group(Group g) { return add(*this, std::move(g)); }

Item& Item::named(std::string new_id, std::string new_title) {
  id = std::move(new_id);
  title = std::move(new_title);
  return *this;
}

}  // namespace warplens::scene
