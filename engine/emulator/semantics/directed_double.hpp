// Operations of f64 in the rounding modes that the host's own operators do not have: by integers, so no host's mode is
// touched, and a host without modes (WebAssembly) gives the same bits.
#pragma once

#include "engine/ptx/opcodes.hpp"

namespace warplens::emulator::detail {

// opcode: add, sub, mul, div, rcp, sqrt, fma or mad; rounding: rz, rm or rp. Operands that are not read are ignored.
// NaN operands and invalid operations give some NaN.
double directed_double(ptx::Opcode opcode, double a, double b, double c, ptx::Rounding rounding);

}  // namespace warplens::emulator::detail
