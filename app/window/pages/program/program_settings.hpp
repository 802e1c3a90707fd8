// What a program reads on stdin, what it may use at most, and what more it may read and write.
#pragma once

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// Of the state's program. Returns where it ends.
double draw_program_settings(const Ui& ui, const Rect& rect, bool is_confined);
// A line of text to type, a mark and a place of the keyboard. hint: where it is empty. Whether it was changed.
bool input_line(const Ui& ui, const char* mark, const Rect& rect, const char* hint, std::string& text);

}  // namespace warplens::app
