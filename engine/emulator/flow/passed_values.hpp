// What calls pass in registers.
#pragma once

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// PTX writes the arguments and results of a call to variables, which are local memory once the call is inlined. The
// machine passes a number in a register: such a variable becomes one, its stores and loads become moves. One that is
// read in parts, in vectors or at an address that is computed stays in memory, as the machine keeps it there.
void pass_in_registers(ptx::Function& function);

}  // namespace warplens::emulator
