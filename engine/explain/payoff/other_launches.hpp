// A kernel's file as it would be launched otherwise, to see what that is worth.
#pragma once

#include <cstdint>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/run/plan.hpp"
#include "engine/run/run.hpp"

namespace warplens::explain {

// Whether no more blocks fit on an SM because its registers are used up; then more need a text that is compiled so.
bool registers_limit(const run::Run& run);
// Compiled so that this many blocks fit on an SM: __launch_bounds__ in its text.
catalog::KernelSpec with_blocks_on_sm(const run::Plan& plan, int blocks);

// A row of so many blocks, whatever the problem's size.
catalog::KernelSpec with_grid_of(const run::Plan& plan, std::uint64_t blocks);

}  // namespace warplens::explain
