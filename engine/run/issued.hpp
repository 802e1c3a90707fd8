// The accesses to shared and global memory of a build's machine code, as the emulator asks for them.
#pragma once

#include <optional>
#include <vector>

#include "engine/compile/build.hpp"
#include "engine/emulator/flow/issued_accesses.hpp"

namespace warplens::run {

// Nothing where the build has no machine code, or none that can be read.
std::optional<std::vector<emulator::IssuedAccess>> issued_accesses(const compile::Build& build);

}  // namespace warplens::run
