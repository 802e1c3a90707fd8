// Constants that go through a register on their way to others. NVRTC sets one register to 0 and moves it to all that begin with 0: to a
// loop's counter as to a sum, which may be that register itself later on. Whoever follows registers, and not the way of their
// values, would take the counter for a sum.
#pragma once

#include "engine/ptx/program.hpp"

namespace warplens::run {

// The same function, but for moves of a register that an immediate was moved to before in the same basic block: these move it too.
ptx::Function with_moved_constants(const ptx::Function& function);

}  // namespace warplens::run
