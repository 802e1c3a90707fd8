#include "viz/figures/parts/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/text.hpp"

namespace warplens::figures {
namespace {

constexpr double kPad = 14, kLabel = 20, kLine = 20, kColumnGap = 28;

struct Column {
  std::string_view label;
  std::string text;
  TextStyle style;
};

// Side by side; the first says the most and has the heaviest type.
std::vector<Column> columns_of(const explain::Explanation& said) {
  std::vector<Column> columns = {{"Cost", sentence(said.what), heading(verdict_color(said.verdict))}};
  if (!said.why.empty()) columns.push_back({"Why", sentence(said.why), body()});
  if (!said.fix.empty()) columns.push_back({"Fix", sentence(said.fix), body()});
  return columns;
}

double column_width(std::size_t count, double width) {
  return (width - 2 * kPad - kColumnGap * static_cast<double>(count - 1)) / static_cast<double>(count);
}

std::vector<std::string> lines_of(const Column& column, double width, const scene::TextMeasure& measure) {
  return scene::wrapped(column.text, width, column.style, measure);
}

}  // namespace

Color verdict_color(explain::Verdict verdict) {
  switch (verdict) {
    case explain::Verdict::good:
      return Token::good;
    case explain::Verdict::costly:
      return Token::costly;
    case explain::Verdict::neutral:
      break;
  }
  return Token::text;
}

double explanation_height(const explain::Explanation& said, double width, const scene::TextMeasure& measure) {
  if (said.what.empty()) return 0;
  const std::vector<Column> columns = columns_of(said);
  std::size_t lines = 1;
  for (const Column& column : columns)
    lines = std::max(lines, lines_of(column, column_width(columns.size(), width), measure).size());
  return 2 * kPad + kLabel + kLine * static_cast<double>(lines) - 4;
}

void add_explanation(Group& group, const Rect& card, const explain::Explanation& said, const NextStep& next,
                     const scene::TextMeasure& measure) {
  group.rect(card, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, 6);
  const std::vector<Column> columns = columns_of(said);
  const double width = column_width(columns.size(), card.width);
  double x = card.x + kPad;
  for (const Column& column : columns) {
    double y = card.y + kPad + 9;
    group.text({x, y}, std::string(column.label), caption(Token::accent));
    for (const std::string& line : lines_of(column, width, measure))
      group.text({x, y += kLine}, line, column.style);
    x += width + kColumnGap;
  }
  if (next.kernel.empty() || said.verdict != explain::Verdict::costly) return;
  Group button;
  const std::string text = fmt::format("Show step {} ▸", next.number);
  const double wide = measure.width(text, heading()) + 2;
  button.text({card.right() - kPad - wide, card.y + kPad + 9}, text, heading(Token::accent));
  group.group(std::move(button))
      .named("step:" + next.kernel, fmt::format("Step {} at the same place", next.number));
}

}  // namespace warplens::figures
