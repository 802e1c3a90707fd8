// For tests: instances, and their outputs computed plainly in float as a kernel would.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/problem/problem.hpp"

namespace warplens::problem {

constexpr std::uint64_t kTestMemory = std::uint64_t{1} << 30;

inline std::shared_ptr<const Instance> instance_of(std::string_view problem, const Values& sizes,
                                                   Pattern pattern = Pattern::random,
                                                   std::uint64_t seed = 1) {
  const auto found = find_problem(problem);
  EXPECT_TRUE(found);
  const auto made = (*found)->make(sizes, pattern, seed, kTestMemory);
  EXPECT_TRUE(made) << to_line(made.error());
  return *made;
}

inline std::vector<float> floats_of(const Instance& instance, std::size_t buffer) {
  const auto bytes = instance.initial(buffer);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

inline std::span<const std::byte> bytes_of_floats(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

// C = A * B as 01_naive does it: one running float sum, multiply and add rounded each.
inline std::vector<float> plain_sgemm(const Instance& instance, const Values& sizes) {
  const auto m = static_cast<std::size_t>(sizes.at("M")), n = static_cast<std::size_t>(sizes.at("N")),
             depth = static_cast<std::size_t>(sizes.at("K"));
  const std::vector<float> a = floats_of(instance, 0), b = floats_of(instance, 1);
  std::vector<float> c(m * n, 0.0f);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < depth; ++k) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * depth + k] * b[k * n + j];
    }
  }
  return c;
}

// r[i][j] = min over k of d[i][k] + d[k][j], by the formula.
inline std::vector<float> plain_minplus(const Instance& instance, std::size_t n) {
  const std::vector<float> d = floats_of(instance, 0);
  std::vector<float> r(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float least = d[i * n] + d[j];
      for (std::size_t k = 1; k < n; ++k) least = std::min(least, d[i * n + k] + d[k * n + j]);
      r[i * n + j] = least;
    }
  }
  return r;
}

}  // namespace warplens::problem
