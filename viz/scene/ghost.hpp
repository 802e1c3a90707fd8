// What a picture leaves behind for a moment: the outlines of its marks, without words.
#pragma once

#include "viz/scene/scene.hpp"

namespace warplens::scene {

// Of rectangles in a colour that means something (a thread, a warp, a cost): their outlines, pale. All else is left
// out, and what is there can be pointed at by nobody.
Scene ghost_of(const Scene& scene);

}  // namespace warplens::scene
