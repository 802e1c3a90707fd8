// What a build's machine code has of accesses to memory, as the emulator asks for it.
#pragma once

#include <optional>
#include <vector>

#include "engine/compile/build.hpp"
#include "engine/emulator/flow/issued_accesses.hpp"

namespace warplens::run {

// Nothing where the build has no machine code, or none that can be read.
std::optional<emulator::MachineAccesses> issued_accesses(const compile::Build& build);

}  // namespace warplens::run
