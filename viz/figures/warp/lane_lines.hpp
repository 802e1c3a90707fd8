// A small picture of one access: the lanes above, the sectors or banks that they go to below, a line between
// each and its own.
#pragma once

#include "viz/figures/access/access.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::figures {

// Of many lines of memory the first eight are shown, which the last line of text says. Wants at least 200 x
// 120.
scene::Scene lane_lines_scene(const WarpAccessView& view, scene::Size size,
                              AccessOptions::Colors colors = AccessOptions::Colors::classic);

// "Neighbouring lanes are 2,048 bytes apart", where they all are; else how many places the lanes go to.
std::string lane_lines_caption(const WarpAccessView& view);

}  // namespace warplens::figures
