#include "app/commands/lesson/lesson_answer.hpp"

#include "engine/lesson/grade.hpp"

namespace warplens::app {

Result<std::string> answer_of(const lesson::Ask& ask, StopContext& context) {
  if (lesson::answer_is_a_choice(ask)) return ask.answer.text();
  const auto answer = context.value_of(ask.answer);
  if (!answer) return answer.error();
  if (ask.choices.empty()) return lesson::to_string(*answer);
  const auto right = lesson::right_choice(ask, *answer);
  return right ? Result<std::string>(ask.choices[*right].text) : right.error();
}

Error in_lesson(const lesson::Lesson& lesson, int line, Error error) {
  if (error.place.file.empty()) error.place = {lesson.file, line, 0};
  return error;
}

}  // namespace warplens::app
