// The line of the kernel's source that an instruction came from.
#pragma once

#include <cstddef>

#include "engine/base/error.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::ptx {

// pc: index into function.code. Empty where the PTX does not say, or beyond the end.
Place place_of(const Program& program, const Function& function, std::size_t pc);

}  // namespace warplens::ptx
