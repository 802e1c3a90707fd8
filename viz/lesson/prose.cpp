#include "viz/lesson/prose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "viz/scene/text_layout.hpp"

namespace warplens::lesson_scene {
namespace {

using lesson::Spans;
using scene::Group, scene::Point, scene::TextMeasure, scene::TextStyle, scene::Weight, theme::Token;

constexpr double kLineStep = 1.5, kBetweenBlocks = 0.7;  // of the size
constexpr double kBullet = 1.2;                          // where the text of a list begins
constexpr double kCellPad = 0.7;
constexpr double kCodeSize = 0.93;      // its letters look larger
constexpr std::size_t kWholeCode = 24;  // letters of code that stand on one line

// A part of a word: what stands between two spaces and has one style.
struct Piece {
  std::string text;
  TextStyle style;
  bool is_code = false, begins_word = false;
  double width = 0;
};

Weight heavier(Weight weight) { return weight == Weight::regular ? Weight::semibold : Weight::bold; }

TextStyle style_of(lesson::Style style, const ProseLook& look) {
  TextStyle text{.size = look.size, .color = look.color, .weight = look.weight};
  if (style == lesson::Style::bold) text.weight = heavier(look.weight);
  if (style == lesson::Style::italic) text.italic = true;
  if (style == lesson::Style::code)
    text.family = scene::Family::code, text.size = look.size * kCodeSize, text.weight = Weight::regular;
  return text;
}

std::vector<Piece> pieces_of(const Spans& spans, const ProseLook& look, const TextMeasure& measure) {
  std::vector<Piece> pieces;
  bool begins = true;
  for (const lesson::Span& span : spans) {
    const TextStyle style = style_of(span.style, look);
    const bool is_whole = span.style == lesson::Style::code && span.text.size() <= kWholeCode;
    const std::string text = scene::with_units_kept(span.text);
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ') {
        begins = true, ++at;
        continue;
      }
      const std::size_t end = is_whole ? text.size() : std::min(text.find(' ', at), text.size());
      std::string word = scene::with_plain_spaces(text.substr(at, end - at));
      const double width = measure.width(word, style);
      pieces.push_back({std::move(word), style, span.style == lesson::Style::code, begins, width});
      begins = false, at = end;
    }
  }
  return pieces;
}

double word_width(const std::vector<Piece>& pieces, std::size_t first) {
  double width = pieces[first].width;
  for (std::size_t i = first + 1; i < pieces.size() && !pieces[i].begins_word; ++i) width += pieces[i].width;
  return width;
}

double step_of(const ProseLook& look) { return std::round(kLineStep * look.size); }

double natural_width(const Spans& spans, const ProseLook& look, const TextMeasure& measure) {
  double width = 0;
  for (const lesson::Span& span : spans) width += measure.width(span.text, style_of(span.style, look));
  return width;
}

// Of what cannot be broken.
double least_width(const Spans& spans, const ProseLook& look, const TextMeasure& measure) {
  const std::vector<Piece> pieces = pieces_of(spans, look, measure);
  double width = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (i == 0 || pieces[i].begins_word) width = std::max(width, word_width(pieces, i));
  return width;
}

// Of a table's columns: as wide as their texts where there is room, else at least as wide as their longest
// words; those that need little more have that first, so that it is a long text which breaks.
std::vector<double> column_widths(const lesson::Table& table, double width, const ProseLook& look,
                                  const TextMeasure& measure) {
  std::vector<double> widths(table.rows.empty() ? 0 : table.rows.front().size(), 0);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c)
      widths[c] = std::max(widths[c], natural_width(row[c], look, measure) + 2 * kCellPad * look.size + 1);
  const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
  if (all <= width) return widths;
  std::vector<double> least(widths.size(), 0);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c)
      least[c] = std::max(least[c], least_width(row[c], look, measure) + 2 * kCellPad * look.size + 1);
  const double needed = std::accumulate(least.begin(), least.end(), 0.0);
  std::vector<std::size_t> order(widths.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return widths[c] - least[c]; });
  double rest = width - needed;
  for (std::size_t i = 0; i < order.size(); ++i) {
    double& own = widths[order[i]];
    if (needed >= width) {
      own *= width / all;
      continue;
    }
    const double more = std::min(own - least[order[i]], rest / static_cast<double>(order.size() - i));
    own = least[order[i]] + more, rest -= more;
  }
  return widths;
}

// Whether a column has numbers alone below its head, which stand at its right.
bool is_of_numbers(const lesson::Table& table, std::size_t column) {
  bool any = false;
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
    if (column >= table.rows[r].size()) continue;
    for (const lesson::Span& span : table.rows[r][column]) {
      any |= !span.text.empty();
      if (span.text.find_first_not_of("0123456789.,- %") != std::string::npos) return false;
    }
  }
  return any;
}

double add_table(Group& group, Point at, const lesson::Table& table, double width, const ProseLook& look,
                 const TextMeasure& measure) {
  const std::vector<double> widths = column_widths(table, width, look, measure);
  const double pad = kCellPad * look.size;
  double y = at.y, all = 0;
  std::vector<bool> at_right(widths.size());
  for (std::size_t c = 0; c < widths.size(); ++c)
    all += widths[c], at_right[c] = c > 0 && is_of_numbers(table, c);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    ProseLook cell = look;
    if (r == 0) cell.color = Token::dim;
    double x = at.x, height = 0;
    for (std::size_t c = 0; c < table.rows[r].size() && c < widths.size(); ++c) {
      const double room = widths[c] - (c == 0 ? pad : 2 * pad);
      const double free = std::max(room - natural_width(table.rows[r][c], cell, measure) - 1, 0.0);
      height = std::max(height, add_spans(group, {x + (c == 0 ? 0 : pad) + (at_right[c] ? free : 0), y},
                                          table.rows[r][c], room, cell, measure));
      x += widths[c];
    }
    y += height + 3;
    group.line({at.x, y - 1.5}, {at.x + all, y - 1.5}, {.color = Token::line});
  }
  return y - at.y;
}

double add_list(Group& group, Point at, const lesson::List& list, double width, const ProseLook& look,
                const TextMeasure& measure) {
  const double inset = std::round(kBullet * look.size), step = step_of(look);
  double y = at.y;
  for (const Spans& item : list.items) {
    group.circle({at.x + inset / 2, y + step / 2}, look.size / 6, {.fill = Token::accent});
    y += add_spans(group, {at.x + inset, y}, item, width - inset, look, measure) + step / 6;
  }
  return y - at.y;
}

}  // namespace

double add_spans(Group& group, Point top_left, const Spans& spans, double width, const ProseLook& look,
                 const TextMeasure& measure) {
  const std::vector<Piece> pieces = pieces_of(spans, look, measure);
  const TextStyle plain = style_of(lesson::Style::plain, look);
  const scene::FontMetrics metrics = measure.metrics(plain);
  const double step = step_of(look), space = measure.width(" ", plain);
  const double first = std::round((step - metrics.line_height()) / 2 + metrics.ascent);
  double x = 0, y = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.begins_word && x > 0) {
      x += space;
      if (x + word_width(pieces, i) > width) x = 0, y += step;
    }
    const Point at{top_left.x + x, top_left.y + y + first};
    if (piece.is_code)
      group.rect({at.x - 2, at.y - metrics.cap_height - 4, piece.width + 4, metrics.cap_height + 8},
                 {.fill = Token::raised}, 3);
    group.text(at, piece.text, piece.style);
    x += piece.width;
  }
  return pieces.empty() ? 0 : y + step;
}

double add_prose(Group& group, Point top_left, std::span<const lesson::Block> blocks, double width,
                 const ProseLook& look, const TextMeasure& measure) {
  double y = top_left.y;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (b > 0) y += std::round(kBetweenBlocks * look.size);
    const Point at{top_left.x, y};
    if (const auto* paragraph = std::get_if<lesson::Paragraph>(&blocks[b]))
      y += add_spans(group, at, paragraph->spans, width, look, measure);
    else if (const auto* list = std::get_if<lesson::List>(&blocks[b]))
      y += add_list(group, at, *list, width, look, measure);
    else
      y += add_table(group, at, std::get<lesson::Table>(blocks[b]), width, look, measure);
  }
  return y - top_left.y;
}

}  // namespace warplens::lesson_scene
