// One function without calls: every call of a device function replaced by the callee's instructions.
#pragma once

#include "engine/base/result.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

// The entry with all calls inlined. Registers, variables and locations of the callees are appended to the
// entry's own; call arguments (.param variables) become local memory. Calls of external functions (vprintf,
// __assertfail) stay; those of functions that call themselves become frames on a stack (recursion.hpp). Errors: calls under a guard,
// a result of more than 2^20 instructions.
Result<ptx::Function> inline_calls(const ptx::Program& program, std::size_t entry);

}  // namespace warplens::emulator
