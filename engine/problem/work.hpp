// What the speed of a problem is counted in.
#pragma once

#include <algorithm>
#include <string_view>

#include "engine/base/speed.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {

struct Work {
  double amount = 0;      // of one launch
  std::string_view unit;  // of its speed: see base/speed.hpp
};

// Whether what it computes are whole numbers.
inline bool has_whole_results(const Instance& instance) {
  const auto is_whole = [](const Buffer& buffer) {
    using enum ElementType;
    return buffer.type != f32 && buffer.type != f64 && buffer.type != f16 && buffer.type != bf16;
  };
  return std::ranges::all_of(instance.buffers(),
                             [&](const Buffer& buffer) { return !buffer.is_output || is_whole(buffer); });
}

inline Work work_of(const Instance& instance) {
  if (is_told_in_operations(instance.operations(), instance.least_bytes()))
    return {instance.operations(), has_whole_results(instance) ? kWholeNumbers : kFloatingPoint};
  return {instance.least_bytes(), kBytes};
}

}  // namespace warplens::problem
