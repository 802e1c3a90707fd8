// What stands above every picture of a run that something is known against: "It has a race, line 12", what
// was found, and what mends it, in a frame. A click on it goes to the line.
#pragma once

#include <optional>

#include "engine/explain/doubt.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

// At this width.
double notice_height(const explain::Notice& notice, double width, const scene::TextMeasure& measure);
// Fills the rectangle, as high as notice_height() says; its group is called "line:12".
void add_notice(scene::Group& group, const scene::Rect& rect, const explain::Notice& notice,
                const scene::TextMeasure& measure);
// The rectangle of a picture's notice; empty if it has none.
std::optional<scene::Rect> notice_box(const scene::Scene& picture, const scene::TextMeasure& measure);
// It alone, at this width.
scene::Scene notice_scene(const explain::Notice& notice, double width, const scene::TextMeasure& measure);

}  // namespace warplens::figures
