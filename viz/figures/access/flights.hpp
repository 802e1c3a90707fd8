// Inside of the access figure: tiles on their way and tiles that are multiplied, over the accesses of a warp,
// where one happens during the other.
#pragma once

#include "viz/figures/access/access_layout.hpp"

namespace warplens::figures {

// Fills in where it is drawn in this column, and returns what is left of that.
Rect place_flights(const AccessView& view, const Rect& column, AccessLayout& layout);

void draw_flights(Group& group, const AccessView& view, const Rect& area);

}  // namespace warplens::figures
