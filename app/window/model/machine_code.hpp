// The machine code of the newest run, read by a worker.
#pragma once

#include <memory>

#include "app/window/model/model.hpp"
#include "app/window/model/runs/of_run.hpp"
#include "engine/sass/machine_listing.hpp"

namespace warplens::app {

using SharedMachineCode = std::shared_ptr<const Result<sass::Listing>>;
// With the disassembler that there is, if there is one.
OfRun<SharedMachineCode> machine_codes();

// The next access behind the chosen one that this instruction of the PTX makes; where it makes none, that of
// its line.
void choose_instruction(Model& model, int pc);

}  // namespace warplens::app
