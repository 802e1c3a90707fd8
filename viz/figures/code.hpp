// The kernel's source with what each line cost in the gutter: sectors of global memory, wavefronts of shared
// memory, and its share of the warp instructions.
#pragma once

#include "viz/figures/parts.hpp"
#include "viz/figures/run_view.hpp"

namespace warplens::figures {

// current: the line to mark, 0 for none. Where the file is longer than the figure, the part around it.
scene::Scene code_scene(const RunView& run, int current, scene::Size size, const scene::TextMeasure& measure);

// Rows "line,executed,share,global_requests,sectors,shared_requests,wavefronts,source".
std::string code_csv(const RunView& run);

}  // namespace warplens::figures
