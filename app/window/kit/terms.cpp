#include "app/window/kit/terms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/explain/glossary/glossary.hpp"

namespace warplens::app {
namespace {

struct PlacedTerm {
  Rect rect;  // as high as the text's
  const explain::Term* term = nullptr;
};

std::vector<PlacedTerm> placed_terms(const Ui& ui, const Rect& rect, std::string_view text, Type type,
                                     Align align) {
  const double room = rect.width - text_width(ui, text, type);
  const double left = std::floor(rect.x + (align == Align::left     ? 0
                                           : align == Align::center ? room / 2
                                                                    : room));
  std::vector<PlacedTerm> placed;
  for (const explain::TermPlace& place : explain::terms_in(text))
    placed.push_back({{left + text_width(ui, text.substr(0, place.at), type), rect.y,
                       text_width(ui, text.substr(place.at, place.length), type), rect.height},
                      place.term});
  return placed;
}

void draw_dots(const Ui& ui, const Rect& word, Type type, Label label) {
  const double y = std::floor(word.center().y + line_height(ui, type) / 2) + ui.px(1);
  const double dot = std::max(1.0f, ui.px(1.25)), step = ui.px(4);
  for (double x = std::floor(word.x); x + dot <= word.right(); x += step)
    fill(ui, {x, y, dot, dot}, Token::dim, label.alpha);
}

constexpr double kWordWidth = 168, kGap = 28, kLeast = 22, kBelow = 8;

double height_of(const Ui& ui, const explain::Term& term, double column) {
  const auto room = static_cast<float>(column - ui.px(kWordWidth));
  const double sentence = draw_paragraph(ui, {0, 0}, room, term.meaning, {Type::body, Token::dim}, false);
  return std::max<double>(ui.px(kLeast), sentence) + ui.px(kBelow);
}

void draw_term(const Ui& ui, const Rect& row, const explain::Term& term, bool stands_out) {
  const double word = ui.px(kWordWidth), around = ui.px(kBelow);
  if (stands_out) {
    const Rect behind{row.x - around, row.y - around / 2, row.width + around, row.height};
    ui.mark("help/word", behind);
    fill(ui, behind, Token::line, 1, 4);
    fill(ui, {behind.x, behind.y, ui.px(3), behind.height}, Token::accent);
  }
  draw_text(ui, {row.x, row.y, word - around, line_height(ui, Type::body) * 1.2}, term.word, {Type::strong});
  draw_paragraph(ui, {static_cast<float>(row.x + word), static_cast<float>(row.y)},
                 static_cast<float>(row.width - word), term.meaning, {Type::body, Token::dim});
}

}  // namespace

bool draw_with_terms(const Ui& ui, const Rect& rect, std::string_view text, Label label, Align align) {
  const bool cut = draw_text(ui, rect, text, label, align);
  if (!cut)
    for (const PlacedTerm& each : placed_terms(ui, rect, text, label.type, align))
      draw_dots(ui, each.rect, label.type, label);
  return cut;
}

bool draw_explained(const Ui& ui, const Rect& rect, std::string_view text, Label label, Align align) {
  const bool cut = draw_with_terms(ui, rect, text, label, align);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (cut || !rect.contains({mouse.x, mouse.y}) || !ImGui::IsWindowHovered()) return cut;
  for (const PlacedTerm& each : placed_terms(ui, rect, text, label.type, align))
    if (each.rect.contains({mouse.x, mouse.y})) show_tip(ui, explain::sentence_of(*each.term));
  return cut;
}

std::string term_sentences(std::string_view text) {
  std::string sentences;
  for (const explain::TermPlace& place : explain::terms_in(text))
    sentences += (sentences.empty() ? "" : "\n") + explain::sentence_of(*place.term);
  return sentences;
}

Glossary draw_glossary(const Ui& ui, scene::Point at, double width, int columns, std::string_view word,
                       bool draw) {
  const auto terms = explain::glossary();
  const double gap = ui.px(kGap), column = (width - gap * (columns - 1)) / columns;
  const std::size_t each =
      (terms.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  Glossary drawn;
  for (std::size_t i = 0, c = 0; i < terms.size(); i += each, ++c) {
    const double x = at.x + static_cast<double>(c) * (column + gap);
    double y = at.y;
    for (const explain::Term& term : terms.subspan(i, std::min(each, terms.size() - i))) {
      const Rect row{x, y, column, height_of(ui, term, column)};
      if (term.word == word) drawn.word = row;
      if (draw) draw_term(ui, row, term, term.word == word);
      y = row.bottom();
    }
    drawn.height = std::max(drawn.height, y - at.y);
  }
  return drawn;
}

}  // namespace warplens::app
