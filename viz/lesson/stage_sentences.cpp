#include "viz/lesson/stage_sentences.hpp"

#include <variant>

#include "viz/scene/text_layout.hpp"

namespace warplens::lesson_scene {
namespace {

constexpr std::size_t kLeastSentence = 24;  // letters

// A sentence that only names a number ("36.") is no end: the next one belongs to it.
void add_sentences(const std::string& text, std::vector<std::string>& sentences) {
  std::size_t begin = 0;
  for (std::size_t end = text.find_first_of(".?!"); end != std::string::npos;
       end = text.find_first_of(".?!", end + 1)) {
    if (end + 1 >= text.size() || text[end + 1] != ' ' || end - begin < kLeastSentence) continue;
    sentences.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 2;
  }
  if (begin < text.size()) sentences.push_back(text.substr(begin));
}

// Without what leads to a list.
void add_sentences(const std::vector<lesson::Block>& blocks, std::vector<std::string>& sentences) {
  for (const lesson::Block& block : blocks) {
    const auto* paragraph = std::get_if<lesson::Paragraph>(&block);
    if (paragraph == nullptr) break;
    add_sentences(marked_text(paragraph->spans), sentences);
  }
  if (sentences.size() > 1 && sentences.back().ends_with(':')) sentences.pop_back();
}

}  // namespace

std::string marked_text(const lesson::Spans& spans) {
  std::string text;
  for (const lesson::Span& span : spans)
    text += span.style == lesson::Style::code ? "`" + scene::with_breakless_spaces(span.text) + "`"
                                              : scene::with_units_kept(span.text);
  return text;
}

std::vector<std::string> stage_sentences(const lesson::Stop& stop, std::string_view task) {
  std::vector<std::string> before, after;
  const bool asks = stop.find<lesson::Ask>() != nullptr;
  const auto* point = stop.find<lesson::OnStage>();
  const auto* exercise = asks ? nullptr : stop.find<lesson::Try>();
  if (point != nullptr)
    add_sentences(marked_text(lesson::parse_spans(point->text)), before);
  else if (!asks)
    add_sentences(marked_text(lesson::parse_spans(task)), before);
  if (exercise != nullptr) before.push_back(marked_text(lesson::parse_spans(exercise->task)));
  if (!before.empty()) return before;
  bool behind = !asks;
  for (const lesson::Part& part : stop.parts) {
    if (std::holds_alternative<lesson::Ask>(part)) behind = true;
    if (const auto* prose = std::get_if<lesson::Prose>(&part))
      add_sentences(prose->blocks, behind ? after : before);
  }
  return after.empty() ? before : after;
}

}  // namespace warplens::lesson_scene
