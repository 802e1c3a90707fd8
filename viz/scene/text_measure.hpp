// How wide text is. Figures lay out with it and painters paint with it, so that nothing is clipped in one of
// them only. viz/paint/fonts.hpp measures the real fonts.
#pragma once

#include <cstddef>
#include <string_view>

#include "viz/scene/scene.hpp"

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

// UTF-8, one code point at a time. Bytes that are no UTF-8 read as U+FFFD, one byte each: no input is
// refused.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // bytes; at least 1
};

// Precondition: !text.empty().
CodePoint first_code_point(std::string_view text);

// Calls visit(CodePoint, byte offset) for each.
template <class Visit>
void for_each_code_point(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = first_code_point(text.substr(at));
    visit(c, at);
    at += c.length;
  }
}

}  // namespace warplens::scene
