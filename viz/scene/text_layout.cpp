#include "viz/scene/text_layout.hpp"

#include <cmath>

namespace warplens::scene {
namespace {

double line_step(const TextStyle& style) { return std::round(1.4 * style.size); }

// The words of one paragraph, put into lines.
void wrap_line(std::string_view text, double max_width, const TextStyle& style, const TextMeasure& measure,
               std::vector<std::string>& lines) {
  std::string line;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    const std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
    if (!line.empty() && measure.width(longer, style) > max_width) {
      lines.push_back(shortened(line, max_width, style, measure));
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push_back(shortened(line, max_width, style, measure));
}

}  // namespace

PlacedText place(const TextShape& shape, const TextMeasure& measure) {
  const TextStyle& style = shape.style;
  PlacedText placed;
  placed.text = style.max_width ? shortened(shape.text, *style.max_width, style, measure) : shape.text;
  placed.width = measure.width(placed.text, style);
  const FontMetrics font = measure.metrics(style);
  const double left = style.anchor == Anchor::start    ? 0
                      : style.anchor == Anchor::middle ? placed.width / 2
                                                       : placed.width;
  const double drop = style.baseline == Baseline::alphabetic ? 0
                      : style.baseline == Baseline::middle   ? font.cap_height / 2
                                                             : font.cap_height;
  placed.baseline = {shape.at.x - left, shape.at.y + drop};
  placed.box = {placed.baseline.x, placed.baseline.y - font.ascent, placed.width, font.ascent + font.descent};
  return placed;
}

std::string shortened(std::string_view text, double max_width, const TextStyle& style,
                      const TextMeasure& measure) {
  // A hair of room: sums of the same advances must not differ in the last bit and lose a letter.
  if (measure.width(text, style) <= max_width + 1e-6) return std::string(text);
  const std::string ellipsis = "…";
  std::string best;
  for_each_code_point(text, [&](CodePoint, std::size_t at) {
    std::string_view head = text.substr(0, at);
    while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
    std::string candidate = std::string(head) + ellipsis;
    if (measure.width(candidate, style) <= max_width + 1e-6) best = std::move(candidate);
  });
  return best.empty() ? ellipsis : best;
}

std::vector<std::string> wrapped(std::string_view text, double max_width, const TextStyle& style,
                                 const TextMeasure& measure) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    wrap_line(text.substr(0, end), max_width, style, measure, lines);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

double first_baseline(const TextStyle& style, const TextMeasure& measure) {
  // The line's leading is shared above and below, as in a browser.
  const FontMetrics font = measure.metrics(style);
  return (line_step(style) - font.line_height()) / 2 + font.ascent;
}

double add_paragraph(Group& group, Point top_left, std::string_view text, double max_width, TextStyle style,
                     const TextMeasure& measure) {
  const double step = line_step(style), baseline = first_baseline(style, measure);
  double y = top_left.y;
  style.baseline = Baseline::alphabetic;
  for (std::string& line : wrapped(text, max_width, style, measure)) {
    group.text({top_left.x, y + baseline}, std::move(line), style);
    y += step;
  }
  return y - top_left.y;
}

double paragraph_height(std::string_view text, double max_width, const TextStyle& style,
                        const TextMeasure& measure) {
  return line_step(style) * static_cast<double>(wrapped(text, max_width, style, measure).size());
}

}  // namespace warplens::scene
