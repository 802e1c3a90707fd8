// The comparison on screen: both sides' choices, pictures, counters and sources.
#pragma once

#include "app/window/kit/ui.hpp"
#include "app/window/pages/compare/compare_counters.hpp"

namespace warplens::app {

void draw_compare(const Ui& ui, const Rect& rect);

// Its parts.
void draw_compare_head(const Ui& ui, const Rect& rect, bool roomy);
double compare_sides_height(const Ui& ui, double half_width, bool roomy);
void draw_compare_sides(const Ui& ui, const Rect& rect, bool roomy);
void draw_compare_table(const Ui& ui, const Rect& rect);
void draw_compare_source(const Ui& ui, const Rect& rect);

}  // namespace warplens::app
