// SVG 1.1 with real, selectable text. The same scene, theme and fonts give the same bytes.
#pragma once

#include <string>

#include "engine/base/result.hpp"
#include "viz/scene/picture_words.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::paint {

// Text keeps its measured length (textLength), so that a machine without the fonts clips nothing. Item ids
// become element ids, made unique and legal where they are not; the item's own id then stands in data-id. What the
// picture says becomes the document's title and desc.
// Error: an image that cannot be encoded.
Result<std::string> to_svg(const scene::Scene& scene, const theme::Theme& theme,
                           const scene::TextMeasure& measure, const scene::PictureWords& words = {});

}  // namespace warplens::paint
