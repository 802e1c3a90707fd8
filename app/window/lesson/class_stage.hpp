// What a class sees: one picture, one sentence, one question; of a lesson's stop or of the open page.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Fills the window.
void draw_class_stage(const Ui& ui, const Rect& rect);

}  // namespace warplens::app
