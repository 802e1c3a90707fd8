#include "viz/paint/measured_fonts.hpp"

#include <fmt/format.h>

#include <sstream>

namespace warplens::paint {
namespace {

using scene::Family, scene::TextStyle, scene::Weight;

constexpr std::array kWeights{Weight::regular, Weight::medium, Weight::semibold, Weight::bold};
struct Range {
  char32_t from, to;
};
// Latin, Greek, punctuation, raised and lowered figures, arrows, mathematics, boxes, a check mark.
constexpr Range kCharacters[] = {{0xfffd, 0xfffd}, {0x20, 0x7e},     {0xa0, 0x17f},    {0x370, 0x3ff},
                                 {0x2009, 0x2044}, {0x2070, 0x209f}, {0x2190, 0x21ff}, {0x2200, 0x22ff},
                                 {0x2500, 0x25ff}, {0x2713, 0x2717}};

std::string utf8(char32_t c) {
  const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
}

std::size_t place_of(const TextStyle& style) {
  const std::size_t row = style.family == Family::code ? 1 : style.italic ? 2 : 0;
  for (std::size_t i = 0; i < kWeights.size(); ++i)
    if (kWeights[i] == style.weight) return row * kWeights.size() + i;
  return row * kWeights.size();
}

}  // namespace

std::array<TextStyle, 12> measured_styles() {
  std::array<TextStyle, 12> styles;
  for (const bool italic : {false, true})
    for (const Family family : {Family::text, Family::code})
      for (const Weight weight : kWeights) {
        TextStyle style;
        style.family = family, style.weight = weight, style.italic = italic, style.size = 1;
        styles[place_of(style)] = style;
      }
  return styles;
}

std::string font_widths(const scene::TextMeasure& fonts) {
  std::string table;
  for (const TextStyle& style : measured_styles()) {
    const scene::FontMetrics m = fonts.metrics(style);
    table += fmt::format("{} {} {}", m.ascent, m.descent, m.cap_height);
    for (const auto [from, to] : kCharacters)
      for (char32_t c = from; c <= to; ++c)
        table += fmt::format(" {} {}", static_cast<unsigned>(c), fonts.width(utf8(c), style));
    table += '\n';
  }
  return table;
}

Result<std::shared_ptr<const MeasuredFonts>> MeasuredFonts::parse(std::string_view table) {
  auto fonts = std::make_shared<MeasuredFonts>();
  std::istringstream lines{std::string(table)};
  for (Style& style : fonts->styles_) {
    std::string line;
    std::getline(lines, line);
    std::istringstream words(line);
    words >> style.metrics.ascent >> style.metrics.descent >> style.metrics.cap_height;
    unsigned c = 0;
    double width = 0;
    while (words >> c >> width) {
      if (style.widths.empty()) style.other = width;
      style.widths.emplace(c, width);
    }
    if (style.widths.empty()) return Error{"the table of font widths is not whole", "build the page anew"};
  }
  return std::shared_ptr<const MeasuredFonts>(std::move(fonts));
}

const MeasuredFonts::Style& MeasuredFonts::of(const TextStyle& style) const {
  return styles_[place_of(style)];
}

double MeasuredFonts::width(std::string_view text, const TextStyle& style) const {
  const Style& known = of(style);
  double ems = 0;
  scene::for_each_code_point(text, [&](scene::CodePoint c, std::size_t) {
    const auto found = known.widths.find(c.value);
    ems += found == known.widths.end() ? known.other : found->second;
  });
  return ems * style.size;
}

scene::FontMetrics MeasuredFonts::metrics(const TextStyle& style) const {
  const scene::FontMetrics& m = of(style).metrics;
  return {m.ascent * style.size, m.descent * style.size, m.cap_height * style.size};
}

}  // namespace warplens::paint
