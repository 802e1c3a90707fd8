// The keys and what they do, over everything else.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Closes with Esc, F1, ? or a click.
void draw_help_sheet(const Ui& ui, bool& open);

}  // namespace warplens::app
