// For tests: the texts of a scene and where they stand.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "viz/scene/scene.hpp"
#include "viz/scene/text_layout.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

using scene::Point;
using scene::Rect;

struct PlacedWord {
  std::string text;
  Rect box;  // of its capitals, in scene coordinates
  bool is_code = false, is_whole = true;
  double size = 0;  // of its type, in scene pixels
};

// What hides texts that were drawn before it.
struct Cover {
  Rect box;
  std::size_t words_before = 0;
};

struct Found {
  std::vector<PlacedWord> words;
  std::vector<Cover> covers;
};

inline Rect in_scene(const Rect& rect, Point origin, double scale) {
  return {origin.x + rect.x * scale, origin.y + rect.y * scale, rect.width * scale, rect.height * scale};
}

inline void collect(const scene::Group& group, Point origin, double scale, const scene::TextMeasure& measure,
                    Found& found) {
  const Point at = origin + group.origin * scale;
  const double inner = scale * group.scale;
  for (const auto& item : group.items) {
    if (const auto* nested = std::get_if<scene::Group>(&item.shape))
      collect(*nested, at, inner, measure, found);
    if (const auto* rect = std::get_if<scene::RectShape>(&item.shape))
      if (rect->style.fill && rect->style.fill->alpha > 0.5)
        found.covers.push_back({in_scene(rect->rect, at, inner), found.words.size()});
    if (const auto* image = std::get_if<scene::ImageShape>(&item.shape))
      found.covers.push_back({in_scene(image->rect, at, inner), found.words.size()});
    const auto* text = std::get_if<scene::TextShape>(&item.shape);
    if (text == nullptr || text->text.empty()) continue;
    const auto placed = scene::place(*text, measure);
    const double capitals = measure.metrics(text->style).cap_height;
    found.words.push_back({text->text,
                           {at.x + placed.box.x * inner, at.y + (placed.baseline.y - capitals) * inner,
                            placed.width * inner, capitals * inner},
                           text->style.family == scene::Family::code,
                           placed.text == text->text,
                           text->style.size * inner});
  }
}

inline std::vector<PlacedWord> words_in(const scene::Scene& scene, const scene::TextMeasure& measure) {
  Found found;
  collect(scene.root, {}, 1, measure, found);
  return found.words;
}

}  // namespace warplens::figures
