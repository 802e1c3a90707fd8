// For tests: sizes of a problem, and anything else, at random, the same in every run.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {

class Draw {
 public:
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937_64 engine_{20261123};
};

// Sizes of every kind: multiples of tiles, of 4, odd ones, smaller than a tile.
inline catalog::Values draw_sizes(const problem::Problem& problem, Draw& draw) {
  catalog::Values sizes;
  for (const std::string& name : problem.size_names()) {
    const std::int64_t step = std::vector<std::int64_t>{1, 4, 32, 128}[draw.below(4)];
    sizes[name] = step * static_cast<std::int64_t>(1 + draw.below(static_cast<std::uint64_t>(700 / step)));
  }
  return sizes;
}

// try_set(spec, values, sizes): with a set of every kernel at random sizes, so many times.
template <class Try>
void for_random_sets(int rounds, const Try& try_set) {
  Draw draw;
  for (int round = 0; round < rounds; ++round)
    for (const catalog::KernelSpec& spec : kernels().kernels()) {
      const auto problem = problem::find_problem(spec);
      ASSERT_TRUE(problem);
      const auto sizes = draw_sizes(**problem, draw);
      const auto sets = catalog::valid_parameter_sets(spec, sizes);
      if (!sets.empty()) try_set(spec, draw.of(sets), sizes);
    }
}

}  // namespace warplens::run
