// Inside of the access figure: a product whose threads make several elements each, or whose blocks make tiles
// that are far from square. The tile of C that the block makes is what the picture is about, with the tiles
// of its warps; beside it stand the parts of A and B that it is made from, and large the elements of one
// thread in the order in which it writes them.
#pragma once

#include "viz/figures/access/access_layout.hpp"

namespace warplens::figures {

// Whether the view is of such a product.
bool is_tiled(const AccessView& view);

// Fills in what is drawn of A, B and C in `picture`, and the elements of the thread in `beside`.
void place_tiled(const AccessView& view, const Rect& picture, const Rect& beside, AccessLayout& layout);

// On top of the panels: outlines and names of warps, what the thread needs of A and B, where the block lies
// in C.
void draw_tiled(Group& group, const AccessView& view, const AccessLayout& layout);

}  // namespace warplens::figures
