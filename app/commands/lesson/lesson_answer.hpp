// What a lesson's hand-outs say of a question.
#pragma once

#include <string>

#include "app/lesson/stop_context.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::app {

// The right answer in words. Errors: an expression that cannot be evaluated, a question without right choice.
Result<std::string> answer_of(const lesson::Ask& ask, StopContext& context);
// The error with the line of the lesson, unless it has a place of its own.
Error in_lesson(const lesson::Lesson& lesson, int line, Error error);

}  // namespace warplens::app
