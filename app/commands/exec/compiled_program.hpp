// A .cu file compiled to a program, or the one that was made of it before.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/program/nvcc.hpp"

namespace warplens::app {

// folder: where it is kept; made where it is missing. What nvcc says goes to stderr. It is compiled again when any
// file that it was made of has changed. Errors: what nvcc refuses.
Result<std::filesystem::path> compiled_program(const program::Nvcc& nvcc, const std::filesystem::path& source,
                                               const std::vector<std::string>& options,
                                               int compute_capability, const std::filesystem::path& folder);

}  // namespace warplens::app
