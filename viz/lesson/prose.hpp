// The text of a lesson as part of a scene: paragraphs, lists and tables whose words change their style.
#pragma once

#include <span>

#include "engine/lesson/lesson.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::lesson_scene {

struct ProseLook {
  double size = theme::metric::kBody;
  scene::Color color = theme::Token::text;
  scene::Weight weight = scene::Weight::regular;  // of plain words; bold ones are one step heavier
};

// Both add text below `top_left`, no wider than `width`, and return the height used.
double add_spans(scene::Group& group, scene::Point top_left, const lesson::Spans& spans, double width,
                 const ProseLook& look, const scene::TextMeasure& measure);
double add_prose(scene::Group& group, scene::Point top_left, std::span<const lesson::Block> blocks,
                 double width, const ProseLook& look, const scene::TextMeasure& measure);

}  // namespace warplens::lesson_scene
