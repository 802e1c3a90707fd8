// The parts of the comparison's page: both sides' choices, counters and sources.
#pragma once

#include <optional>

#include "app/window/kit/ui.hpp"
#include "app/window/model/compare_model.hpp"

namespace warplens::app {

// roomy: all parts are shown at once, and the sliders are not behind a button.
void draw_compare_head(const Ui& ui, Comparison& comparison, const Rect& rect, bool roomy);
double compare_sides_height(const Ui& ui, const Comparison& comparison, double half_width, bool roomy);
void draw_compare_sides(const Ui& ui, Comparison& comparison, const Rect& rect, bool roomy);
double compare_table_width(const Ui& ui,
                           const Comparison& comparison);  // in which it says all; 0: not known yet
void draw_compare_table(const Ui& ui, const Comparison& comparison, const Rect& rect);
// A line that somebody asked for; it is marked, and comes in sight once.
struct AskedLine {
  Side side = Side::left;
  int line = 0;  // of the file, from 1
  bool is_new = true;
};
void draw_compare_source(const Ui& ui, const Comparison& comparison, const Rect& rect,
                         std::optional<AskedLine>& asked);

}  // namespace warplens::app
