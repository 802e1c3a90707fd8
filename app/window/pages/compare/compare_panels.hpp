// The parts of the comparison's page: both sides' choices, counters and sources.
#pragma once

#include "app/window/kit/ui.hpp"
#include "app/window/model/compare_model.hpp"

namespace warplens::app {

// roomy: all parts are shown at once, and the sliders are not behind a button.
void draw_compare_head(const Ui& ui, Comparison& comparison, const Rect& rect, bool roomy);
double compare_sides_height(const Ui& ui, const Comparison& comparison, double half_width, bool roomy);
void draw_compare_sides(const Ui& ui, Comparison& comparison, const Rect& rect, bool roomy);
void draw_compare_table(const Ui& ui, const Comparison& comparison, const Rect& rect);
void draw_compare_source(const Ui& ui, const Comparison& comparison, const Rect& rect);

}  // namespace warplens::app
