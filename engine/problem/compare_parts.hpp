// Comparing an output with its reference on the machine's cores.
#pragma once

#include <cstddef>
#include <mutex>

#include "engine/problem/comparison.hpp"
#include "engine/problem/parallel.hpp"

namespace warplens::problem {

// compare(part, comparison) for every part from 0 to parts - 1, in any order and on several threads, each
// with a comparison of its own; together the same as of all elements one by one.
template <class Compare>
Comparison compare_parts(std::size_t parts, double tolerance, const Compare& compare) {
  Comparison whole(tolerance);
  std::mutex merging;
  parallel_for(parts, [&](std::size_t part) {
    Comparison comparison(tolerance);
    compare(part, comparison);
    const std::lock_guard lock(merging);
    whole.merge(comparison);
  });
  return whole;
}

}  // namespace warplens::problem
