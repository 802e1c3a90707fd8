// What a kernel is taken to compute, as people say it: the id of a problem of one's own says nothing to anybody.
#pragma once

#include <string>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::app {

// "“Matrix product”", "a problem of its own"
std::string problem_words(const catalog::KernelSpec& spec);
// Of a guessed one: "A guess: “Matrix product”", "Sizes and data are a guess"
std::string guess_words(const catalog::KernelSpec& spec);

}  // namespace warplens::app
