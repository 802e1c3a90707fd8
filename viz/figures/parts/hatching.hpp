// Hatching at full strength: what is moved or done in vain.
#pragma once

#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

// Lines of this colour over a tint of it, and an edge. step: from line to line, pixels.
void add_hatched(Group& group, const Rect& rect, Color color = Token::costly, double step = 8,
                 double radius = 0);

}  // namespace warplens::figures
