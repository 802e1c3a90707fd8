// Words that the glossary explains (engine/explain/glossary/glossary.hpp): a dotted line below them, and their
// sentence where the pointer rests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/window/kit/widgets.hpp"

namespace warplens::app {

// As draw_text(), with a dotted line below each word of the glossary that is whole.
bool draw_with_terms(const Ui& ui, const Rect& rect, std::string_view text, Label label = {},
                     Align align = Align::left);
// A line each for the words of a text; empty where it has none.
std::string term_sentences(std::string_view text);
// For a text that stands in no item with a tip of its own: the same, with the sentence of the word under the
// pointer.
bool draw_explained(const Ui& ui, const Rect& rect, std::string_view text, Label label = {},
                    Align align = Align::left);
struct Glossary {
  double height = 0;
  std::optional<Rect> word = {};  // where the one asked for stands
};
// All words and their sentences, in so many columns from `at` on; `word` stands out. With draw = false it
// only measures.
Glossary draw_glossary(const Ui& ui, scene::Point at, double width, int columns, std::string_view word,
                       bool draw = true);

}  // namespace warplens::app
