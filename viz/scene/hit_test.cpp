#include "viz/scene/hit_test.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "viz/scene/placement.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::scene {
namespace {

double stroke_reach(const std::optional<Stroke>& stroke, double slop) {
  return stroke ? std::max(stroke->width / 2, slop) : 0;
}

struct Touch {
  Point p;
  double slop;
  const TextMeasure& measure;

  bool operator()(const RectShape& s) const {
    if (s.style.fill) return s.rect.contains(p);
    const double reach = stroke_reach(s.style.stroke, slop);
    return s.rect.inset(-reach).contains(p) && !s.rect.inset(reach).contains(p);
  }
  bool operator()(const LineShape& s) const {
    return distance_to_segment(p, s.from, s.to) <= stroke_reach(s.stroke, slop);
  }
  bool operator()(const PathShape& s) const {
    const auto outlines = flatten(s.path);
    return (s.style.fill && inside(outlines, p)) ||
           (s.style.stroke && distance(outlines, p) <= stroke_reach(s.style.stroke, slop));
  }
  bool operator()(const TextShape& s) const { return scene::place(s, measure).box.contains(p); }
  bool operator()(const ImageShape& s) const { return s.rect.contains(p); }
  bool operator()(const Group&) const { return false; }
};

Hit::Cell cell_at(const ImageShape& s, Point p) {
  const auto part = [](double at, double from, double length, int count) {
    return std::clamp(static_cast<int>((at - from) / length * count), 0, count - 1);
  };
  return {part(p.x, s.rect.x, s.rect.width, s.pixels->width),
          part(p.y, s.rect.y, s.rect.height, s.pixels->height)};
}

// The nearest names around an item, and where the id came from.
struct Names {
  const Item* id = nullptr;
  const Item* title = nullptr;
  Names with(const Item& item) const {
    // A title belongs to the id it stands beside: an inner id without a title keeps the outer title.
    return {item.id.empty() ? id : &item, item.title.empty() ? title : &item};
  }
};

struct Search {
  const TextMeasure& measure;
  double slop;

  std::optional<Hit> in(const Group& group, Point p, Placement placement, Names names) const {
    if (group.clip && !group.clip->contains(p)) return std::nullopt;
    for (const Item& item : group.items | std::views::reverse)
      if (auto hit = at(item, p, placement, names.with(item))) return hit;
    return std::nullopt;
  }

  std::optional<Hit> at(const Item& item, Point p, Placement placement, Names names) const {
    if (const auto* group = std::get_if<Group>(&item.shape))
      return group->scale > 0
                 ? in(*group, (p - group->origin) * (1 / group->scale), placement.inside(*group), names)
                 : std::nullopt;
    if (!names.id || !std::visit(Touch{p, slop / placement.scale, measure}, item.shape)) return std::nullopt;
    Hit hit{names.id->id, names.title ? names.title->title : "", {}, p, {}};
    if (const auto box = bounds(item.shape, measure)) hit.bounds = placement.out(*box);
    if (const auto* image = std::get_if<ImageShape>(&item.shape)) hit.cell = cell_at(*image, p);
    return hit;
  }
};

std::optional<Rect> find_in(const Group& group, std::string_view id, Placement placement,
                            const TextMeasure& measure) {
  for (const Item& item : group.items) {
    if (item.id == id)
      if (const auto box = bounds(item.shape, measure)) return placement.out(*box);
    const auto* inner = std::get_if<Group>(&item.shape);
    if (!inner) continue;
    if (auto found = find_in(*inner, id, placement.inside(*inner), measure)) return found;
  }
  return std::nullopt;
}

std::optional<Rect> group_bounds(const Group& group, const TextMeasure& measure) {
  std::optional<Rect> all;
  for (const Item& item : group.items)
    if (const auto box = bounds(item.shape, measure)) all = all ? bounding(*all, *box) : *box;
  if (all && group.clip) all = intersection(*all, *group.clip);
  if (all) all = Placement{}.inside(group).out(*all);
  return all;
}

}  // namespace

std::optional<Rect> bounds(const Shape& shape, const TextMeasure& measure) {
  struct Visit {
    const TextMeasure& with;
    std::optional<Rect> operator()(const RectShape& s) const { return s.rect; }
    std::optional<Rect> operator()(const LineShape& s) const {
      return bounding({s.from.x, s.from.y, 0, 0}, {s.to.x, s.to.y, 0, 0});
    }
    std::optional<Rect> operator()(const PathShape& s) const { return scene::bounds(s.path); }
    std::optional<Rect> operator()(const TextShape& s) const { return place(s, with).box; }
    std::optional<Rect> operator()(const ImageShape& s) const { return s.rect; }
    std::optional<Rect> operator()(const Group& g) const { return group_bounds(g, with); }
  };
  return std::visit(Visit{measure}, shape);
}

std::optional<Hit> hit_test(const Scene& scene, Point point, const TextMeasure& measure, double slop) {
  const Group& root = scene.root;
  if (!(root.scale > 0)) return std::nullopt;
  return Search{measure, slop}.in(root, (point - root.origin) * (1 / root.scale), Placement{}.inside(root),
                                  {});
}

std::optional<Rect> find_bounds(const Scene& scene, std::string_view id, const TextMeasure& measure) {
  return find_in(scene.root, id, Placement{}.inside(scene.root), measure);
}

}  // namespace warplens::scene
