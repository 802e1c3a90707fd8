// What the addresses of a kernel without a front matter are computed from, as far as that may be a wrong guess: numbers
// that nobody says, and data that may be indices.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::run {

// The lines of accesses whose addresses are computed from guessed numbers. lines: of each instruction, 0 where it has
// none; names: of the kernel's parameters, in their order; guessed: those that are a guess. What only decides whether
// an access is executed is in no address.
std::set<int> lines_of_guessed_addresses(const ptx::Function& function, const std::vector<int>& lines,
                                         const std::vector<std::string>& names,
                                         const std::set<std::string>& guessed);

// What whole numbers in global memory decide.
struct DataUse {
  std::set<int> lines;         // of accesses whose addresses are computed from them
  bool decides_paths = false;  // a branch or a guard depends on them: then any access may
};
DataUse use_of_data(const ptx::Function& function, const std::vector<int>& lines);

}  // namespace warplens::run
