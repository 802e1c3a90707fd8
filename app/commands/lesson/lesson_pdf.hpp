// A lesson as a hand-out for paper: PDF pages with its text as text and its pictures as drawings.
#pragma once

#include "app/commands/lesson/editions.hpp"
#include "app/commands/lesson/lesson_desk.hpp"
#include "viz/paint/files/cairo_painter.hpp"

namespace warplens::app {

// A4. Each question is followed by its answer and the reasons against the others. Errors: the first picture
// or answer that cannot be made, with its line.
Result<paint::Bytes> lesson_pdf(LessonDesk& desk, const OpenLesson& open, Edition edition);

}  // namespace warplens::app
