// What figures are drawn with, as the state has it.
#pragma once

#include "app/state/state.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::app {

// How the state wants the access figure drawn.
figures::AccessOptions access_options(const Drawing& drawing);
// Whose traffic the state wants in the data flow.
figures::FlowOptions flow_options(const Drawing& drawing);
figures::MapOptions map_options(const Drawing& drawing);  // of the speed map
// Of the figure of time; what is not understood is left out.
figures::TimeOptions time_options(const Drawing& drawing);
void set_time_options(Drawing& drawing, const figures::TimeOptions& options);
// The place of a selection in a run whose trace has its block at this position.
figures::Place place_of(const Selection& selection, std::size_t trace_block);

}  // namespace warplens::app
