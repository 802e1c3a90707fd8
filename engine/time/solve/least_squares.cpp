#include "engine/time/solve/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace warplens::time {
namespace {

// The normal equations, dense and symmetric.
struct Normal {
  std::size_t size = 0;
  std::vector<double> matrix, right;
  double at(std::size_t i, std::size_t j) const { return matrix[i * size + j]; }
};

Normal normal_of(const std::vector<Equation>& equations, const std::vector<double>& cost) {
  Normal n{cost.size(), std::vector<double>(cost.size() * cost.size()), {}};
  for (const double c : cost) n.right.push_back(-c);
  for (const Equation& e : equations) {
    const double weight = e.weight * e.weight;
    for (const auto& [i, a] : e.terms) {
      n.right[static_cast<std::size_t>(i)] += weight * a * e.value;
      for (const auto& [j, b] : e.terms)
        n.matrix[static_cast<std::size_t>(i) * n.size + static_cast<std::size_t>(j)] += weight * a * b;
    }
  }
  for (std::size_t i = 0; i < n.size; ++i) n.matrix[i * n.size + i] += 1e-9;
  return n;
}

// Of the unknowns in `free`, the others being 0: by Cholesky. A row of the triangle begins where the matrix's does, which is near
// the diagonal: equations are of blocks of a kernel that are near each other.
std::vector<double> solve(const Normal& n, const std::vector<std::size_t>& free) {
  const std::size_t size = free.size();
  std::vector<double> lower(size * size), x(n.size);
  std::vector<double> y(size);
  std::vector<std::size_t> first(size);
  for (std::size_t i = 0; i < size; ++i) {
    double value = n.right[free[i]];
    while (n.at(free[i], free[first[i]]) == 0) ++first[i];  // the diagonal is not 0
    for (std::size_t j = first[i]; j <= i; ++j) {
      double sum = n.at(free[i], free[j]);
      for (std::size_t k = std::max(first[i], first[j]); k < j; ++k)
        sum -= lower[i * size + k] * lower[j * size + k];
      lower[i * size + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / lower[j * size + j];
    }
    for (std::size_t k = first[i]; k < i; ++k) value -= lower[i * size + k] * y[k];
    y[i] = value / lower[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    double value = y[i];
    for (std::size_t k = i + 1; k < size; ++k) value -= lower[k * size + i] * x[free[k]];
    x[free[i]] = value / lower[i * size + i];
  }
  return x;
}

// Of each row, what is not 0: of a large kernel's few entries of many.
std::vector<std::vector<std::size_t>> columns_of(const Normal& n) {
  std::vector<std::vector<std::size_t>> columns(n.size);
  for (std::size_t i = 0; i < n.size; ++i)
    for (std::size_t j = 0; j < n.size; ++j)
      if (n.at(i, j) != 0) columns[i].push_back(j);
  return columns;
}

}  // namespace

// Lawson and Hanson, "Solving Least Squares Problems" (1974), chapter 23, from all unknowns free.
std::vector<double> solve_not_negative(const std::vector<Equation>& equations,
                                       const std::vector<double>& cost) {
  const Normal n = normal_of(equations, cost);
  const auto columns = columns_of(n);
  constexpr double kNegative = -1e-9;
  std::vector<bool> is_free(n.size, true);
  std::vector<double> x(n.size, 0.0);
  bool feasible = false;
  for (std::size_t round = 0; round < 6 * n.size + 20; ++round) {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < n.size; ++i)
      if (is_free[i]) free.push_back(i);
    std::vector<double> next = solve(n, free);
    bool negative = false;
    if (!feasible) {  // first: drop all negative ones, quickly
      for (const std::size_t i : free)
        if (next[i] < kNegative) is_free[i] = false, negative = true;
      if (negative) continue;
      feasible = true;
    }
    double step = 1;
    for (const std::size_t i : free)
      if (next[i] < kNegative) step = std::min(step, x[i] / (x[i] - next[i]));
    for (std::size_t i = 0; i < n.size; ++i) x[i] += step * (next[i] - x[i]);
    if (step < 1) {
      for (const std::size_t i : free)
        if (x[i] <= 1e-9 && next[i] < 0) is_free[i] = false, x[i] = 0;
      continue;
    }
    std::size_t best = n.size;
    double steepest = 1e-7;
    for (std::size_t i = 0; i < n.size; ++i) {
      if (is_free[i]) continue;
      double slope = n.right[i];
      for (const std::size_t j : columns[i]) slope -= n.at(i, j) * x[j];
      if (slope > steepest) steepest = slope, best = i;
    }
    if (best == n.size) break;
    is_free[best] = true;
  }
  for (double& value : x) value = std::max(value, 0.0);
  return x;
}

}  // namespace warplens::time
