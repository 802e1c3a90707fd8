// What the addresses of a kernel without a front matter are computed from, as far as that may be a wrong guess: numbers
// that nobody says, and data that may be indices.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ptx/program.hpp"

namespace warplens::run {

// What a kernel calls a parameter of its own, or at an offset the member "g.nx" of a struct that it takes by value.
struct ParameterName {
  std::size_t parameter = 0;
  std::uint64_t offset = 0;
  std::string name;
};

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
// none; guessed: those names that are a guess, "g_nx" of a member. What only decides whether
// an access is executed is in no address.
AccessPlaces guessed_addresses(const ptx::Function& function, const std::vector<int>& lines,
                               const std::vector<ParameterName>& names, const std::set<std::string>& guessed);

// Whether the kernel loads a parameter, and compares something with a number that is computed from it. Names do not matter.
struct UseOfNumber {
  bool is_loaded = false, is_compared = false;
};
UseOfNumber use_of_number(const ptx::Function& function, const std::vector<ParameterName>& places);

// Lines of what is computed from parameters, or is executed or not by them.
std::set<int> decided_by_numbers(const ptx::Function& function, const std::vector<int>& lines,
                                 const std::vector<ParameterName>& places);

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
                    const std::vector<ParameterName>& names);

}  // namespace warplens::run
