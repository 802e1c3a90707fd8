// What the speed of a problem is counted in.
#pragma once

#include <string>

#include "engine/base/speed.hpp"
#include "engine/problem/problem.hpp"

namespace warplens::problem {

struct Work {
  double amount = 0;      // of one launch
  std::string_view unit;  // of its speed in thousand millions: "GFLOP/s", or "GB/s"
};

inline Work work_of(const Instance& instance) {
  if (is_told_in_operations(instance.operations(), instance.least_bytes()))
    return {instance.operations(), "GFLOP/s"};
  return {instance.least_bytes(), "GB/s"};
}

}  // namespace warplens::problem
