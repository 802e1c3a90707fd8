// Does every index in a Program lead somewhere? What parse() returns always passes, even beside errors; tests
// and the fuzz target ask.
#pragma once

#include <string>

#include "engine/ptx/program.hpp"

namespace warplens::ptx {

// The first index that leads nowhere, in words; empty where all are good.
std::string find_broken_index(const Program& program);

}  // namespace warplens::ptx
