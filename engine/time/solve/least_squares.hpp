// Least squares with a linear cost and no negative unknowns: small and dense.
#pragma once

#include <utility>
#include <vector>

namespace warplens::time {

struct Equation {
  std::vector<std::pair<int, double>> terms;  // unknown, coefficient
  double value = 0, weight = 1;
};

// The x >= 0 that makes sum of (weight * (terms * x - value))^2 + 2 * cost * x least.
std::vector<double> solve_not_negative(const std::vector<Equation>& equations,
                                       const std::vector<double>& cost);

}  // namespace warplens::time
