// A stop of the open lesson in front of a class: one picture, one sentence, one question.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Fills the window. Precondition: a lesson is open.
void draw_lesson_stage(const Ui& ui, const Rect& rect);
// Of what the stage says now, for scripts: the words of its headline, choices and sentence.
std::size_t words_on_stage(const Ui& ui);

}  // namespace warplens::app
