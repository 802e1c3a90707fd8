#include "viz/figures/parts/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/text.hpp"

namespace warplens::figures {
namespace {

constexpr double kPad = 14, kLabel = 20, kLine = 20, kColumnGap = 28, kRowGap = 14;

struct Column {
  std::string label;
  std::string text;
  TextStyle style;
};

// Side by side; the first says the most and has the heaviest type.
std::vector<Column> columns_of(const explain::Explanation& said, std::string_view of = kOfAccess) {
  std::vector<Column> columns = {
      {std::string(of), sentence(said.what), heading(verdict_color(said.verdict))}};
  if (!said.why.empty()) columns.push_back({"Why", sentence(said.why), body()});
  if (!said.fix.empty()) columns.push_back({"Fix", sentence(said.fix), body()});
  return columns;
}

// What this access is said of, and below it the step as a whole: of another reason than that of the access.
std::vector<Column> columns_of(const StepWords& step, const explain::Explanation& said) {
  std::vector<Column> columns;
  if (!step.against.words.empty())
    columns.push_back({step.before, sentence(step.against.words), body(verdict_color(step.against.verdict))});
  const explain::Explanation& whole = step.whole;
  if (whole.verdict != explain::Verdict::costly || whole.rule == said.rule || whole.why == said.why)
    return columns;
  columns.push_back({"The whole step", sentence(whole.what), body(Token::costly)});
  if (columns.size() == 1) columns.push_back({"Why", sentence(whole.why), body()});
  return columns;
}

double column_width(std::size_t count, double width) {
  return (width - 2 * kPad - kColumnGap * static_cast<double>(count - 1)) / static_cast<double>(count);
}

std::vector<std::string> lines_of(const Column& column, double width, const scene::TextMeasure& measure) {
  return scene::wrapped(column.text, width, column.style, measure);
}

double row_height(const std::vector<Column>& columns, double width, const scene::TextMeasure& measure) {
  std::size_t lines = 1;
  for (const Column& column : columns)
    lines = std::max(lines, lines_of(column, column_width(columns.size(), width), measure).size());
  return kLabel + kLine * static_cast<double>(lines);
}

void add_row(Group& group, const std::vector<Column>& columns, const Rect& card, double top,
             const scene::TextMeasure& measure) {
  const double width = column_width(columns.size(), card.width);
  double x = card.x + kPad;
  for (const Column& column : columns) {
    double y = top + 9;
    group.text({x, y}, column.label, caption(Token::accent));
    for (const std::string& line : lines_of(column, width, measure))
      group.text({x, y += kLine}, line, column.style);
    x += width + kColumnGap;
  }
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

double explanation_height(const explain::Explanation& said, const StepWords& step, double width,
                          const scene::TextMeasure& measure) {
  if (said.what.empty()) return 0;
  const double height = 2 * kPad + row_height(columns_of(said), width, measure) - 4;
  const std::vector<Column> below = columns_of(step, said);
  return below.empty() ? height : height + kRowGap + row_height(below, width, measure);
}

void add_explanation(Group& group, const Rect& card, const explain::Explanation& said, const StepWords& step,
                     const NextStep& next, const scene::TextMeasure& measure, std::string_view of) {
  group.rect(card, {.fill = Token::panel, .stroke = scene::Stroke{Token::line}}, 6);
  const std::vector<Column> columns = columns_of(said, of), below = columns_of(step, said);
  add_row(group, columns, card, card.y + kPad, measure);
  if (!below.empty()) {
    const double top = card.y + kPad + row_height(columns, card.width, measure) + kRowGap;
    group.line({card.x + kPad, top - kRowGap / 2 - 3}, {card.right() - kPad, top - kRowGap / 2 - 3},
               {Token::line});
    add_row(group, below, card, top, measure);
  }
  if (next.kernel.empty() || said.verdict != explain::Verdict::costly) return;
  Group button;
  const double room = column_width(columns.size(), card.width) -
                      measure.width(columns.back().label, caption(Token::accent)) - kPad;
  std::string text = fmt::format("Step {} is free of it ▸", next.number);
  if (measure.width(text, heading()) > room) text = fmt::format("Step {} ▸", next.number);
  const double wide = measure.width(text, heading()) + 2;
  button.text({card.right() - kPad - wide, card.y + kPad + 9}, text, heading(Token::accent));
  group.group(std::move(button))
      .named("step:" + next.kernel, fmt::format("Step {} at the same place", next.number));
}

}  // namespace warplens::figures
