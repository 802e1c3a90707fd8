#include "viz/figures/parts/hatching.hpp"

#include <algorithm>

namespace warplens::figures {

// Each line ends at the edges by itself: a clip for each rectangle would be a drawing of its own on screen.
void add_hatched(Group& group, const Rect& rect, Color color, double step, double radius) {
  group.rect(rect, {.fill = Color{color.token, 0.22}}, radius);
  for (double x = rect.x - rect.height + step / 2; x < rect.right(); x += step) {
    const double from = std::max(x, rect.x), to = std::min(x + rect.height, rect.right());
    if (to - from > 0.5)
      group.line({from, rect.bottom() - (from - x)}, {to, rect.bottom() - (to - x)}, {color, step * 0.275});
  }
  group.rect(rect, {.stroke = scene::Stroke{color}}, radius);
}

}  // namespace warplens::figures
