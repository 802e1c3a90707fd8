#include "viz/scene/text_layout.hpp"

#include <algorithm>
#include <array>
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

constexpr std::array<std::string_view, 29> kUnits = {
    "%",    "ns",   "µs",     "ms",      "s",       "Hz",     "kHz",   "MHz",   "GHz",  "B",
    "KB",   "MB",   "GB",     "TB",      "KiB",     "MiB",    "GiB",   "B/s",   "KB/s", "MB/s",
    "GB/s", "TB/s", "GFLOPS", "GFLOP/s", "TFLOP/s", "TFLOPS", "GOP/s", "TOP/s", "W"};

// A unit, and what may stand behind it in a sentence.
bool begins_with_unit(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const std::size_t end = word.find_last_not_of(".,;:?!)");
  return end != std::string_view::npos && std::ranges::find(kUnits, word.substr(0, end + 1)) != kUnits.end();
}

}  // namespace

std::string with_units_kept(std::string_view text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool behind_number = i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
    if (text[i] == ' ' && behind_number && begins_with_unit(text.substr(i + 1)))
      kept += kBreakless;
    else
      kept += text[i];
  }
  return kept;
}

std::string with_breakless_spaces(std::string_view text) {
  std::string kept;
  for (const char c : text) c == ' ' ? kept += kBreakless : kept += c;
  return kept;
}

std::string with_plain_spaces(std::string text) {
  for (std::size_t at = text.find(kBreakless); at != std::string::npos; at = text.find(kBreakless, at))
    text.replace(at, kBreakless.size(), " ");
  return text;
}

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
  // Where the text says itself where it must not break it keeps what it says.
  const bool says_itself = text.find(kBreakless) != std::string_view::npos;
  const std::string kept = says_itself ? std::string(text) : with_units_kept(text);
  for (std::string_view rest = kept;;) {
    const std::size_t end = rest.find('\n');
    wrap_line(rest.substr(0, end), max_width, style, measure, lines);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (!says_itself)
    for (std::string& line : lines) line = with_plain_spaces(std::move(line));
  return lines;
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
