// What a state leaves open of its kernel, as the window fills it in.
#pragma once

#include "app/state/state.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/kernel_spec.hpp"

namespace warplens::app {

// Complete: where the kernel does not take these values at this size, those of its file.
catalog::Values complete_values(const catalog::KernelSpec& spec, const catalog::Values& params,
                                const catalog::Values& sizes);

// Sizes that the kernel's problem has, and its parameters. The kernel may have been asked for by an older
// number. Error: the problem is not known; nothing changes then.
Status complete_kernel(State& state, const catalog::KernelSpec& spec);

}  // namespace warplens::app
