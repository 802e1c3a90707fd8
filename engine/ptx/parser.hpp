// PTX text -> Program. Accepts what NVRTC writes for compute_75 to compute_121, and hand-written one-line cases.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::ptx {

struct Parsed {
  Program program;            // complete only where errors is empty
  std::vector<Error> errors;  // every one with its line of the PTX text; at most 100
  // The first error, where it is an instruction that the emulator leaves out: what CUDA calls its feature.
  std::string left_out;
};

// Never throws, never recurses with the input's depth. text_name goes into the places of the errors.
Parsed parse(std::string_view text, std::string_view text_name = "ptx");

}  // namespace warplens::ptx
