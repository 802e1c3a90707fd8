// How wide text is. Figures lay out with it and painters paint with it, so that nothing is clipped in one of
// them only. viz/paint/fonts.hpp measures the real fonts.
#pragma once

#include <string_view>

#include "viz/scene/scene.hpp"
#include "viz/scene/utf8.hpp"

namespace warplens::scene {

// Heights above the baseline (descent: below), in scene pixels, all positive.
struct FontMetrics {
  double ascent = 0, descent = 0, cap_height = 0;
  double line_height() const { return ascent + descent; }
};

class TextMeasure {
 public:
  virtual ~TextMeasure() = default;
  // The advance of one line of UTF-8, without kerning and ligatures. May be called from several threads at
  // once.
  virtual double width(std::string_view text, const TextStyle& style) const = 0;
  virtual FontMetrics metrics(const TextStyle& style) const = 0;
};

}  // namespace warplens::scene
