// What passes in any case, however well a kernel's lanes lie side by side.
#pragma once

#include "engine/run/run.hpp"

namespace warplens::explain {

// Sectors of global memory, of the whole grid: those of the problem's arrays, or what the kernel asks for of them where that is less.
// What TMA brings is not counted as asked for.
double least_sectors(const run::Run& run);

}  // namespace warplens::explain
