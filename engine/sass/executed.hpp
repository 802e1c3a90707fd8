// How often each instruction of a run's machine code ran: made of the emulator's counts of the PTX and of the
// flow of the machine code (engine/time).
#pragma once

#include <vector>

#include "engine/run/run.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::sass {

// Whether the compiler made machine code that is the device's own.
bool has_machine_code(const run::Run& run);

// The instruction of the PTX that one of the machine was made of; -1 where ptxas does not say.
int pc_of(const time::Instruction& instruction, const run::Run& run);

// By warps of the counted blocks, for each instruction of the code of the run's kernel. Empty where the run is
// not complete, or where the code and the PTX differ too much to be told.
std::vector<double> executions_of(const std::vector<time::Instruction>& code, const run::Run& run);

// The code with its executions; both are empty where one of them is not known.
struct ExecutedCode {
  std::vector<time::Instruction> code;
  std::vector<double> executed;
};
ExecutedCode executed_code(const run::Run& run);

}  // namespace warplens::sass
