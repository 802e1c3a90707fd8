// What is lit in a picture: outlines that lie over its items with chosen ids, however these look.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::scene {

struct LitItem {
  std::string id;
  Rect bounds;  // scene coordinates; of a line without a box: around all of it
};

// A box in the scene is outlined on `over`; one of few pixels is filled.
void light_box(Group& over, const Rect& box);

// Adds to `over`, in scene coordinates, an outline of every item or group that is_lit(its id), of several
// neighbours one around them all, and draws its lines again in the colour of what is lit. Returns where they
// are, in the order in which they are drawn.
std::vector<LitItem> light(const Scene& scene, const std::function<bool(std::string_view)>& is_lit,
                           const TextMeasure& measure, Group& over);

}  // namespace warplens::scene
