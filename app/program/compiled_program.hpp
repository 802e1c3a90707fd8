// A .cu file compiled to a program, or the one that was made of it before.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/program/nvcc/nvcc.hpp"
#include "engine/program/source_values.hpp"

namespace warplens::app {

struct Compilation {
  program::Nvcc nvcc;
  std::filesystem::path source;
  std::vector<std::string> options;  // for nvcc
  program::SourceValues values;      // in place of the file's own; a copy of it is compiled then
  int compute_capability = 90;
  std::filesystem::path folder;  // where it is kept; made where it is missing
  // Where there is nobody to read what nvcc says on stderr: its first error is the error then, and it can be stopped.
  const std::atomic<bool>* cancel = nullptr;
};
// It is compiled again when any file that it was made of has changed. Errors: what nvcc refuses; stopped.
Result<std::filesystem::path> compiled_program(const Compilation& compilation);

}  // namespace warplens::app
