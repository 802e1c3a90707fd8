// Where a group's own coordinates lie in the scene.
#pragma once

#include "viz/scene/scene.hpp"

namespace warplens::scene {

struct Placement {
  Point origin = {};
  double scale = 1;
  Placement inside(const Group& g) const { return {origin + g.origin * scale, scale * g.scale}; }
  Rect out(const Rect& r) const {
    return {origin.x + r.x * scale, origin.y + r.y * scale, r.width * scale, r.height * scale};
  }
};

}  // namespace warplens::scene
