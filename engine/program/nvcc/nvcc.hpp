// nvcc, which compiles whole programs: of a CUDA toolkit, or of NVIDIA's packages for pip. What it links is our
// runtime.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::program {

struct Nvcc {
  std::filesystem::path program;    // nvcc itself
  std::filesystem::path libraries;  // of our runtime
  std::filesystem::path headers;    // what CUDA 13 removed and older programs use; empty: none
  // What packages of pip lack: where their libraries are. Empty of a toolkit.
  std::filesystem::path toolkit_libraries;
};
// search: folders to look in first, roots of toolkits, then $PATH's, then the usual places. Error: there is none, and how to get it.
Result<Nvcc> find_nvcc(const std::vector<std::filesystem::path>& search, std::string_view path,
                       const std::filesystem::path& libraries, const std::filesystem::path& headers);

// The words of a command that compiles these files as `warplens nvcc` does: our runtime linked, line numbers, PTX
// and machine code for the device, whatever architectures the words name.
std::vector<std::string> nvcc_words(const Nvcc& nvcc, const std::vector<std::string>& words,
                                    int compute_capability);

}  // namespace warplens::program
