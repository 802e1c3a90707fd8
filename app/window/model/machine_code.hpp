// From an instruction of the machine code to what the window looks at.
#pragma once

#include "app/window/model/model.hpp"

namespace warplens::app {

// The next access behind the chosen one that this instruction of the PTX makes; where it makes none, that of
// its line.
void choose_instruction(Model& model, int pc);

}  // namespace warplens::app
