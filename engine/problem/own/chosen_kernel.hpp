// Which of a file's kernels is the one that it is about, where nobody says.
#pragma once

#include <string_view>
#include <vector>

#include "engine/source/signature.hpp"

namespace warplens::problem {

// The last that is launched, else the last: mostly the one that those before lead to. One without arrays, which only
// warms up or prints, where there is no other; one that cannot be run only where all are such. Precondition: there is one.
const source::KernelSignature& chosen_kernel(const std::vector<source::KernelSignature>& kernels,
                                             std::string_view code);

}  // namespace warplens::problem
