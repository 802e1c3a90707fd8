// Inside of the access figure: how the threads of a block add up, a row for each round. The lanes of the
// chosen warp stand side by side; arcs come from where a lane takes a value.
#pragma once

#include "engine/report/reduction_tree.hpp"
#include "viz/figures/access/access_layout.hpp"

namespace warplens::figures {

// The tree of the view's block; null where it is no reduction.
const report::ReductionTree* tree_of(const AccessView& view);
// The round that the access of the view is part of.
std::optional<std::size_t> round_now(const AccessView& view);

void draw_tree(Group& group, const AccessView& view, const Rect& area);

}  // namespace warplens::figures
