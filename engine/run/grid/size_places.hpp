// Where among a kernel's arguments the sizes of its problem are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/problem/problem.hpp"
#include "engine/run/grid/guessed_addresses.hpp"

namespace warplens::run {

// By size. The names of the places are empty. Empty where the problem cannot be made at other sizes.
std::map<std::string, std::vector<ParameterName>> places_of_sizes(const problem::Problem& problem,
                                                                  std::uint64_t max_bytes);

}  // namespace warplens::run
