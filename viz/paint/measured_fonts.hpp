// The real fonts as a table of their widths, for where no font can be opened: what paint/fonts.hpp measured, written by
// print_font_widths when the program was built.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/base/result.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::paint {

// Every style that has widths of its own, in the order of the table.
std::array<scene::TextStyle, 12> measured_styles();  // of size 1

// A line a style: ascent, descent, height of capitals, then code point and width of each character, all in ems. Characters that
// the table lacks are as wide as its first.
std::string font_widths(const scene::TextMeasure& fonts);

class MeasuredFonts final : public scene::TextMeasure {
 public:
  // Error: not such a table.
  static Result<std::shared_ptr<const MeasuredFonts>> parse(std::string_view table);
  double width(std::string_view text, const scene::TextStyle& style) const override;
  scene::FontMetrics metrics(const scene::TextStyle& style) const override;

 private:
  struct Style {
    scene::FontMetrics metrics;
    double other = 0;
    std::unordered_map<char32_t, double> widths;
  };
  const Style& of(const scene::TextStyle& style) const;
  std::array<Style, 12> styles_;
};

}  // namespace warplens::paint
