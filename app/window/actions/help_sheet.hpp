// The keys and what they do, or the words and what they mean, over everything else.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Closes with Esc, F1, ? or a click. has_words: which of the two it shows.
void draw_help_sheet(const Ui& ui, bool& open, bool& has_words);

}  // namespace warplens::app
