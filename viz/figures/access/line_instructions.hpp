// What a thread executes, line by line of the source and by the units that do it: below a line that the
// access figure shows, where instructions are what a step costs.
#pragma once

#include "engine/explain/instruction_cost.hpp"
#include "viz/figures/parts/look.hpp"
#include "viz/figures/parts/parts.hpp"

namespace warplens::figures {

// Fills the rectangle from its top; line stands out. Precondition: cost.decides().
void add_line_instructions(Group& group, const Rect& rect, const explain::InstructionCost& cost,
                           const run::Run& run, int line, Look look, const scene::TextMeasure& measure);

}  // namespace warplens::figures
