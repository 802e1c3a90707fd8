// From where no thread comes to its end any more: loops that no condition, break or return leaves.
#pragma once

#include <vector>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

// Of each pc, and of the end of the code: whether no path leads from there to an end of the thread. A call may
// be one.
std::vector<bool> without_way_out(const ptx::Function& function, const Flow& flow);

}  // namespace warplens::emulator
