// The ladders as they are taught: kernels/ladders.txt.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

struct Ladders {
  std::vector<std::string> order;  // as they are listed; others follow by name
  // By ladder and number of a step, from 1: what it is judged against, where that is not the one before it.
  std::map<std::string, std::map<std::size_t, std::size_t>> against;
};
// A line for each: its name, and "9:1" for a step 9 that is judged against step 1. What is no such pair is
// left out.
Ladders parse_ladders(std::string_view text);
// None where there is no such file.
Ladders read_ladders(const std::filesystem::path& home);

// What the step at this index is judged against, as an index. Nothing where there is none, or that solves
// another problem.
std::optional<std::size_t> judged_against(const Ladders& ladders, const std::string& ladder,
                                          const std::vector<const KernelSpec*>& steps, std::size_t index);

}  // namespace warplens::catalog
