// Ladder, sizes, device, Run and Live on the left; pages, theme, presenter mode and the export menu on the
// right.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

void draw_top_bar(const Ui& ui, const Rect& rect);

}  // namespace warplens::app
