// The code of a launch that a program made, as a build: it is there already, and nothing is compiled.
#pragma once

#include "engine/catalog/recorded_launch.hpp"
#include "engine/compile/build.hpp"

namespace warplens::compile {

// Registers and the like of a program without machine code are not known: 0.
Result<Build> build_of(const catalog::RecordedLaunch& launch);

}  // namespace warplens::compile
