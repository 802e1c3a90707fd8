// A lesson as a hand-out: one HTML file with its text as text and its pictures in it.
#pragma once

#include <string>

#include "app/commands/lesson/editions.hpp"
#include "app/commands/lesson/lesson_desk.hpp"

namespace warplens::app {

// Questions are followed by their answers, to be opened. Errors: the first picture or answer that cannot be
// made, with its line.
Result<std::string> lesson_html(LessonDesk& desk, const OpenLesson& open, Edition edition);

}  // namespace warplens::app
