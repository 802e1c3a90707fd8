// The playground on screen.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

void draw_playground(const Ui& ui, const Rect& rect);

}  // namespace warplens::app
