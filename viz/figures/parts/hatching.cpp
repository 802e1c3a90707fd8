#include "viz/figures/parts/hatching.hpp"

namespace warplens::figures {

void add_hatched(Group& group, const Rect& rect, Color color, double step, double radius) {
  group.rect(rect, {.fill = Color{color.token, 0.22}}, radius);
  Group lines;
  lines.clip = rect;
  for (double x = rect.x - rect.height; x < rect.right(); x += step)
    lines.line({x, rect.bottom()}, {x + rect.height, rect.y}, {color, step * 0.275});
  group.group(std::move(lines));
  group.rect(rect, {.stroke = scene::Stroke{color}}, radius);
}

}  // namespace warplens::figures
