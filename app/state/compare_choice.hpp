// Which two kernels a comparison is of, where its state leaves one open.
#pragma once

#include <vector>

#include "app/state/state.hpp"

namespace warplens::app {

// "matmul" of "matmul/03_shared_tile".
std::string ladder_of(std::string_view kernel);

// The kernels of its problem, in the order of the catalog, those of its own ladder first: the step before one
// is never of another ladder.
std::vector<const catalog::KernelSpec*> kernels_beside(const catalog::Catalog& catalog,
                                                       const catalog::KernelSpec& own);

// The one of this id; null where there is none.
const catalog::KernelSpec* kernel_named(const std::vector<const catalog::KernelSpec*>& kernels,
                                        std::string_view id);

// Sides that name none of these kernels become the state's kernel and the step before it, of the first step
// the one after it. The state's kernel brings its parameters along. Precondition: kernels is not empty.
void complete_sides(State& state, const std::vector<const catalog::KernelSpec*>& kernels);

// Who opens the comparison from a step compares that one: sides that are both of others name none any more.
void forget_other_sides(State& state);

}  // namespace warplens::app
