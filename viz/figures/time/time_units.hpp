// What the figure of time has beside its chart: how busy each unit is, the least time by each alone, and the
// lines of the source at which warps spend their time. And what its parts share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viz/figures/time/time.hpp"

namespace warplens::figures {

// Strong where a warp does something, pale where it waits.
struct StallColor {
  time::Stall stall;
  Color color;
};
std::span<const StallColor> stall_colors();  // in the order of the legend
Color color_of(time::Stall stall);

// The longest of the texts that fits; the last one where none does.
std::string fitting(const std::vector<std::string>& texts, double width, const TextStyle& style,
                    const scene::TextMeasure& measure);

// The text of a line of the kernel's own file; empty where it is not one.
std::string_view source_of(const run::Run& run, int line);

void draw_units(Group& group, const run::Run& run, const time::Prediction& prediction, const Rect& room,
                Look look, const scene::TextMeasure& measure);

}  // namespace warplens::figures
