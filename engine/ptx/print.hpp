// An instruction as one line of text, for messages and tests. Modifiers are in one fixed order; those that
// change nothing for the emulator (scopes, cache hints, .aligned) are not in an Instruction and so not in its
// text.
#pragma once

#include <string>

#include "engine/ptx/program.hpp"

namespace warplens::ptx {

// "@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8]". A label is L and the index of the instruction it stands
// before, a branch table T and its index. instruction must come from the function, and the function from the
// program.
std::string print(const Instruction& instruction, const Function& function, const Program& program);

}  // namespace warplens::ptx
