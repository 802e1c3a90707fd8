// A kernel's PTX as machine code might be of it, for where there is none or where its loops were not found
// again: each instruction becomes those of work_of(), with stall counts and barriers so that results are
// waited for. How often each block ran is known.
#pragma once

#include <vector>

#include "engine/emulator/launch.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/machine_code.hpp"
#include "engine/time/machine_flow.hpp"

namespace warplens::time {

struct PtxCode {
  std::vector<Instruction> code;
  MachineFlow flow;
};
// old: see work_of(). counters: of `warps` warps. accesses: Kernel::shared_accesses().
PtxCode code_of_ptx(const ptx::Function& function, const emulator::Counters& counters,
                    const std::vector<emulator::VectorizedAccess>& accesses, double warps, bool old = false);

}  // namespace warplens::time
