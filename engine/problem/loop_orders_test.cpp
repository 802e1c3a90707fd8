#include "engine/problem/loop_orders.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warplens::problem {
namespace {

// Small whole numbers: every order adds the same without rounding. 65 is no multiple of the tile.
TEST(LoopOrders, AllMakeTheSameProduct) {
  constexpr std::size_t n = 65;
  std::vector<float> a(n * n), b(n * n), expected(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7) - 3;
    b[i] = static_cast<float>(i % 5) - 2;
  }
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      for (std::size_t k = 0; k < n; ++k) expected[row * n + column] += a[row * n + k] * b[k * n + column];
  for (const LoopOrder& order : loop_orders()) {
    std::vector<float> c(n * n);
    order.multiply(a, b, c, n);
    EXPECT_EQ(c, expected) << order.name;
  }
}

}  // namespace
}  // namespace warplens::problem
