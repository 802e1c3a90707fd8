#include "viz/scene/lit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "viz/scene/hit_test.hpp"
#include "viz/scene/placement.hpp"

namespace warplens::scene {
namespace {

constexpr double kLeastOutlined = 5;  // scene pixels: an outline would hide what is smaller

Stroke lit_stroke(const Stroke& stroke) {
  return {.color = Token::accent, .width = std::max(stroke.width + 1, 2.5), .round = stroke.round};
}

class Lighter {
 public:
  Lighter(const std::function<bool(std::string_view)>& is_lit, const TextMeasure& measure, Group& over)
      : is_lit_(is_lit), measure_(measure), over_(over) {}

  void look_in(const Group& group, Placement placement, std::optional<Rect> clip) {
    if (group.clip) {
      const Rect own = placement.out(*group.clip);
      clip = clip ? intersection(*clip, own) : own;
      if (!clip) return;
    }
    for (const Item& item : group.items) {
      if (!item.id.empty() && is_lit_(item.id)) {
        add(item, placement, clip);
      } else if (const auto* inner = std::get_if<Group>(&item.shape)) {
        look_in(*inner, placement.inside(*inner), clip);
      }
    }
  }
  std::vector<LitItem> take() {
    add_boxes();
    return std::move(found_);
  }

 private:
  void add(const Item& item, Placement placement, const std::optional<Rect>& clip) {
    Group lines;
    std::optional<Rect> box;
    take_apart(item.shape, placement, lines, box);
    if (box && clip) box = intersection(*box, *clip);
    if (box) boxes_.push_back(*box);
    std::optional<Rect> around = box;
    for (const Item& line : lines.items)
      if (const auto b = bounds(line.shape, measure_)) around = around ? bounding(*around, *b) : *b;
    if (!around) return;
    if (!lines.items.empty()) over_.group(std::move(lines));
    found_.push_back({item.id, *around});
  }

  // Lines are drawn again; everything else is within the box.
  void take_apart(const Shape& shape, Placement placement, Group& lines, std::optional<Rect>& box) {
    if (const auto* group = std::get_if<Group>(&shape)) {
      for (const Item& item : group->items) take_apart(item.shape, placement.inside(*group), lines, box);
      return;
    }
    Group placed;
    placed.origin = placement.origin, placed.scale = placement.scale;
    if (const auto* line = std::get_if<LineShape>(&shape)) {
      placed.line(line->from, line->to, lit_stroke(line->stroke));
    } else if (const auto* path = std::get_if<PathShape>(&shape); path != nullptr && path->style.stroke) {
      const auto fill = path->style.fill ? std::optional<Color>(Token::accent) : std::nullopt;
      placed.path(path->path, {.fill = fill, .stroke = lit_stroke(*path->style.stroke)});
    } else if (const auto own = bounds(shape, measure_)) {
      const Rect out = placement.out(*own);
      box = box ? bounding(*box, out) : out;
    }
    if (!placed.items.empty()) lines.group(std::move(placed));
  }

  // Neighbours of one row or column have an outline in common: filled one by one they would hide their marks.
  static bool are_neighbours(const Rect& a, const Rect& b) {
    constexpr double gap = 4, off = 1;
    const bool in_column = std::abs(a.x - b.x) < off && std::abs(a.right() - b.right()) < off,
               in_row = std::abs(a.y - b.y) < off && std::abs(a.bottom() - b.bottom()) < off;
    return (in_column && std::max(a.y, b.y) - std::min(a.bottom(), b.bottom()) < gap) ||
           (in_row && std::max(a.x, b.x) - std::min(a.right(), b.right()) < gap);
  }
  // Of very many the colours stay in sight, which outlines would cover.
  void veil_boxes() {
    for (const Rect& box : boxes_) over_.rect(box, {.fill = Color{Token::accent, 0.4}});
  }
  void add_boxes() {
    constexpr std::size_t many = 100;
    if (boxes_.size() > many) return veil_boxes();
    for (std::size_t i = 0; i < boxes_.size();) {
      Rect all = boxes_[i];
      std::size_t end = i + 1;
      while (end < boxes_.size() && are_neighbours(all, boxes_[end])) all = bounding(all, boxes_[end++]);
      if (end - i > 2)
        over_.rect(all.inset(-1), {.stroke = Stroke{Token::accent, 2}}, 2);
      else
        for (std::size_t box = i; box < end; ++box) light_box(over_, boxes_[box]);
      i = end;
    }
  }

  const std::function<bool(std::string_view)>& is_lit_;
  const TextMeasure& measure_;
  Group& over_;
  std::vector<LitItem> found_;
  std::vector<Rect> boxes_;
};

}  // namespace

void light_box(Group& over, const Rect& box) {
  if (std::min(box.width, box.height) < kLeastOutlined) {
    over.rect(box, {.fill = Color{Token::accent, 0.85}});
    return;
  }
  over.rect(box, {.fill = Color{Token::accent, 0.25}}, 2);
  over.rect(box.inset(-1), {.stroke = Stroke{Token::accent, 2}}, 2);
}

std::vector<LitItem> light(const Scene& scene, const std::function<bool(std::string_view)>& is_lit,
                           const TextMeasure& measure, Group& over) {
  Lighter lighter(is_lit, measure, over);
  lighter.look_in(scene.root, Placement{}.inside(scene.root), std::nullopt);
  return lighter.take();
}

}  // namespace warplens::scene
