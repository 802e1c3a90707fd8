#include "app/window/lesson/lesson_stage.hpp"

#include <charconv>

#include "engine/lesson/grade.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::app {
namespace {

constexpr std::size_t kLeastSentence = 24;  // letters

// With `code` as a stage takes it.
std::string marked_text(const lesson::Spans& spans) {
  std::string text;
  for (const lesson::Span& span : spans)
    text += span.style == lesson::Style::code ? "`" + scene::with_breakless_spaces(span.text) + "`"
                                              : scene::with_units_kept(span.text);
  return text;
}

// The first sentence of a text, which has the most to say; with the next where it only names a number: "36."
std::string first_sentence(const std::vector<lesson::Block>& blocks) {
  for (const lesson::Block& block : blocks) {
    const auto* paragraph = std::get_if<lesson::Paragraph>(&block);
    if (paragraph == nullptr) continue;
    const std::string text = marked_text(paragraph->spans);
    for (std::size_t end = text.find_first_of(".?!"); end != std::string::npos;
         end = text.find_first_of(".?!", end + 1))
      if (end + 1 == text.size() || (text[end + 1] == ' ' && end >= kLeastSentence))
        return text.substr(0, end + 1);
    return text;
  }
  return "";
}

// Of the text before the question while it waits for its answer, behind it afterwards.
std::string sentence_of(const LessonPlayer& player) {
  const bool asks = player.guess().ask != nullptr;
  bool behind = !asks;
  std::string before, after;
  for (const lesson::Part& part : player.here().parts) {
    if (std::holds_alternative<lesson::Ask>(part)) behind = true;
    if (const auto* prose = std::get_if<lesson::Prose>(&part)) {
      std::string& to = behind ? after : before;
      if (to.empty()) to = first_sentence(prose->blocks);
    }
  }
  if (asks && !player.guess().is_answered) return "";
  if (const auto& assignment = player.writing().assignment; assignment != nullptr && !asks)
    return marked_text(lesson::parse_spans(assignment->task));
  if (const auto* exercise = player.here().find<lesson::Try>(); exercise != nullptr && !asks)
    return marked_text(lesson::parse_spans(exercise->task));
  return after.empty() ? before : after;
}

// The last paragraph before the question.
std::string context_of(const LessonPlayer& player) {
  std::string last;
  for (const lesson::Part& part : player.here().parts) {
    if (std::holds_alternative<lesson::Ask>(part)) break;
    if (const auto* prose = std::get_if<lesson::Prose>(&part))
      for (const lesson::Block& block : prose->blocks)
        if (const auto* paragraph = std::get_if<lesson::Paragraph>(&block))
          last = marked_text(paragraph->spans);
  }
  return last;
}

std::string prompt_of(const LessonPlayer& player) {
  const Guess& guess = player.guess();
  if (!guess.is_answered)
    return guess.ask->choices.empty() ? "Each guesses a number. Space shows the answer"
                                      : "Keys 1 to 9 count guesses. Space shows the answer";
  if (guess.error) return to_line(*guess.error);
  if (!guess.answer) return "Running the kernel…";
  return "The answer: " + lesson::answer_words(*guess.ask, *guess.answer, guess.right);
}

}  // namespace

lesson_scene::Stage lesson_stage(const LessonPlayer& player) {
  lesson_scene::Stage stage{.lesson = player.lesson().title,
                            .heading = player.here().heading,
                            .headline = player.here().heading,
                            .context = context_of(player),
                            .sentence = sentence_of(player),
                            .choices = {},
                            .prompt = {},
                            .is_covered = player.is_covering(),
                            .stop = player.stop(),
                            .stops = player.lesson().stops.size()};
  const Guess& guess = player.guess();
  if (guess.ask == nullptr) return stage;
  stage.headline = marked_text(lesson::parse_spans(guess.ask->question));
  stage.prompt = prompt_of(player);
  for (std::size_t i = 0; i < guess.ask->choices.size(); ++i) {
    const bool known = guess.is_answered && guess.right;
    stage.choices.push_back({.text = guess.ask->choices[i].text,
                             .votes = guess.votes[i],
                             .mark = !known              ? lesson_scene::Mark::none
                                     : i == *guess.right ? lesson_scene::Mark::right
                                     : guess.chosen == i ? lesson_scene::Mark::wrong
                                                         : lesson_scene::Mark::none});
  }
  return stage;
}

void click_lesson_stage(LessonPlayer& player, std::string_view id) {
  const std::size_t colon = id.find(':');
  std::size_t number = 0;
  if (colon == std::string_view::npos) return;
  std::from_chars(id.data() + colon + 1, id.data() + id.size(), number);
  if (id.starts_with("stop:")) player.go_to(number);
  if (id.starts_with("choice:") && !player.guess().is_answered) player.choose(number);
}

}  // namespace warplens::app
