#include "viz/scene/ghost.hpp"

#include <utility>

namespace warplens::scene {
namespace {

constexpr double kPale = 0.5, kLeastAlpha = 0.3;  // of the fill: washes are grounds

bool is_mark(const Style& style) {
  return style.fill && !style.fill->fixed && style.fill->token >= Token::first_thread &&
         style.fill->alpha > kLeastAlpha;
}

Group ghost_of(const Group& group) {
  Group ghost;
  ghost.origin = group.origin, ghost.scale = group.scale;
  ghost.clip = group.clip, ghost.clip_radius = group.clip_radius;
  for (const Item& item : group.items) {
    if (const auto* inside = std::get_if<Group>(&item.shape)) {
      if (Group inner = ghost_of(*inside); !inner.items.empty()) ghost.items.push_back({std::move(inner)});
    } else if (const auto* rect = std::get_if<RectShape>(&item.shape);
               rect != nullptr && is_mark(rect->style)) {
      ghost.rect(rect->rect, {.stroke = Stroke{Color{rect->style.fill->token, kPale}}}, rect->radius);
    }
  }
  return ghost;
}

}  // namespace

Scene ghost_of(const Scene& scene) {
  Scene ghost(scene.size, Color::transparent());
  ghost.root = ghost_of(scene.root);
  return ghost;
}

}  // namespace warplens::scene
