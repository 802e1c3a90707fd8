// The parts of the window, one file each. A panel reads the model, draws into its rectangle, and changes the
// state; it keeps nothing of its own.
#pragma once

#include "app/window/ui.hpp"

namespace warplens::app {

void draw_top_bar(const Ui& ui, const Rect& rect);
void draw_steps(const Ui& ui, const Rect& rect);
float steps_height(const Ui& ui);                      // what the whole list would take
void draw_parameters(const Ui& ui, const Rect& rect);  // sliders, launch, and what to watch
void draw_figure_tabs(const Ui& ui, const Rect& rect, bool with_code);
void draw_figure_canvas(const Ui& ui, const Rect& rect);
void draw_transport(const Ui& ui, const Rect& rect);
void draw_number_cards(const Ui& ui, const Rect& rect, bool compact);
void draw_code(const Ui& ui, const Rect& rect);
void draw_access_table(const Ui& ui, const Rect& rect);
float access_table_height(const Ui& ui);

}  // namespace warplens::app
