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

// What numbers in memory decide.
struct DataUse {
  std::set<int> lines;         // of accesses whose addresses are computed from whole numbers in memory
  bool decides_paths = false;  // a branch or a guard depends on such: then any access may
  // Of accesses whose addresses are computed from what a branch on a number of any type changes, as the place is that a
  // search finds, or of the next element of a merge.
  struct Searched {
    std::set<int> global, shared;
  } searched;
};
DataUse use_of_data(const ptx::Function& function, const std::vector<int>& lines);

}  // namespace warplens::run
