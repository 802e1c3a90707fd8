// Text made ready to paint: shortened to its width, its baseline found, long text broken into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "viz/scene/text_measure.hpp"

namespace warplens::scene {

struct PlacedText {
  std::string text;  // as drawn: with an ellipsis where it was too long
  Point baseline;    // where its first character starts
  double width = 0;
  Rect box;  // ascent to descent
};

PlacedText place(const TextShape& shape, const TextMeasure& measure);

// The text itself where it fits, else its longest beginning with "…"; "…" alone where nothing fits.
std::string shortened(std::string_view text, double max_width, const TextStyle& style,
                      const TextMeasure& measure);

// The same with spaces that do not break between a number and its unit, "4.3 µs": kBreakless, which looks
// like a space.
inline constexpr std::string_view kBreakless = "\u00a0";
std::string with_units_kept(std::string_view text);
std::string with_breakless_spaces(std::string_view text);
// The same with plain spaces again.
std::string with_plain_spaces(std::string text);

// Broken at spaces so that no line is wider than max_width, but not between a number and its unit; a single
// longer word is shortened. Keeps line breaks.
std::vector<std::string> wrapped(std::string_view text, double max_width, const TextStyle& style,
                                 const TextMeasure& measure);

// Adds the wrapped text below `top_left` and answers the height used. Line step: 1.4 of the size, on whole
// pixels.
double add_paragraph(Group& group, Point top_left, std::string_view text, double max_width, TextStyle style,
                     const TextMeasure& measure);
// How far below its top the first line of such a paragraph stands.
double first_baseline(const TextStyle& style, const TextMeasure& measure);
double paragraph_height(std::string_view text, double max_width, const TextStyle& style,
                        const TextMeasure& measure);

}  // namespace warplens::scene
