// Several programs made one, as nvlink makes one of the files of nvcc -rdc=true: what one declares and another
// defines is the same.
#pragma once

#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::program {

// What nobody defines stays declared: the emulator refuses its use by name.
ptx::Program link(std::vector<ptx::Program> parts);

}  // namespace warplens::program
