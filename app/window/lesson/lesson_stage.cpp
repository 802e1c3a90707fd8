#include "app/window/lesson/lesson_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "engine/lesson/grade.hpp"
#include "viz/lesson/stage_sentences.hpp"

namespace warplens::app {
namespace {

using lesson_scene::marked_text;

// What stands below the picture: nothing while a question waits for its answer; of a stop that asks for a text, what that is.
std::vector<std::string> sentences_of(const LessonPlayer& player) {
  const bool asks = player.guess().ask != nullptr;
  if (asks && !player.guess().is_answered) return {};
  const auto& assignment = player.writing().assignment;
  if (assignment == nullptr || asks) return lesson_scene::stage_sentences(player.here());
  std::vector<std::string> said = lesson_scene::stage_sentences(player.here(), assignment->task);
  said.emplace_back("Esc leads to the editor, in which it is written.");
  return said;
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
    return guess.ask->choices.empty() ? "Let everyone guess a number. Space shows the answer"
                                      : fmt::format("Keys A to {} count the guesses. Space shows the answer",
                                                    lesson::letter_of(guess.ask->choices.size() - 1));
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
                            .sentence = {},
                            .more = {},
                            .choices = {},
                            .prompt = {},
                            .is_covered = player.is_covering(),
                            .stop = player.stop(),
                            .stops = player.lesson().stops.size()};
  if (std::vector<std::string> said = sentences_of(player); !said.empty()) {
    stage.sentence = std::move(said.front());
    stage.more.assign(std::make_move_iterator(said.begin() + 1), std::make_move_iterator(said.end()));
  }
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
