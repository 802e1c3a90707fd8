// What the addresses of a kernel without a front matter are computed from, as far as that may be a wrong guess: numbers
// that nobody says, and data that may be indices.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::run {

// The arrays in shared memory, which are not told apart here.
inline const std::string kAnyShared = "shared memory";

// Accesses, by their line and the array that their address was made from.
class AccessPlaces {
 public:
  void add(int line, const std::string& array) {  // empty: an array that is not known
    if (line > 0) arrays_[line].insert(array);
  }
  // array: as a finding names it, "x"; empty: any.
  bool has(int line, std::string_view array) const;

 private:
  std::map<int, std::set<std::string, std::less<>>> arrays_;
};

// The accesses whose addresses are computed from guessed numbers. lines: of each instruction, 0 where it has
// none; names: of the kernel's parameters, in their order; guessed: those that are a guess. What only decides whether
// an access is executed is in no address.
AccessPlaces guessed_addresses(const ptx::Function& function, const std::vector<int>& lines,
                               const std::vector<std::string>& names, const std::set<std::string>& guessed);

// What numbers in memory decide.
struct DataUse {
  AccessPlaces addresses;      // that are computed from whole numbers in memory
  bool decides_paths = false;  // a branch or a guard depends on such
  std::set<int> decided;       // lines of what such a branch or guard decides about
  // Accesses whose addresses are computed from what a branch on a number of any type changes, as the place is that a
  // search finds, or of the next element of a merge. What a loop counts is not changed so, however often it turns.
  AccessPlaces searched;
};
DataUse use_of_data(const ptx::Function& function, const std::vector<int>& lines,
                    const std::vector<std::string>& names);

}  // namespace warplens::run
