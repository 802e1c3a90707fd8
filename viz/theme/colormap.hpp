// Colour maps for heat maps: perceptually even, safe for colour-blind readers, the same in both themes.
#pragma once

#include <vector>

#include "viz/theme/theme.hpp"

namespace warplens::theme {

enum class Colormap { viridis, cividis };

// The colour at t; t outside [0, 1] is clamped, NaN is the low end.
Rgba sample(Colormap map, double t);

// `steps` colours from the low to the high end, for an indexed image.
std::vector<Rgba> ramp(Colormap map, int steps);

}  // namespace warplens::theme
