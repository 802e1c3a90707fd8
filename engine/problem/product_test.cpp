#include "engine/problem/product_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/problem/input.hpp"
#include "engine/problem/minplus_kernel.hpp"

namespace warplens::problem {
namespace {

struct alignas(64) Panel {
  double values[kTileDepth][kTile];
};

// Every width gives the bits of the plain loop in the order of k.
TEST(ProductKernel, EveryVersionIsThePlainSum) {
  const auto a = std::make_unique<Panel>(), b = std::make_unique<Panel>();
  for (int k = 0; k < kTileDepth; ++k) {
    for (int i = 0; i < kTile; ++i) {
      a->values[k][i] = random_float(3, 0, static_cast<std::uint64_t>(k * kTile + i));
      b->values[k][i] = random_float(3, 1, static_cast<std::uint64_t>(k * kTile + i));
    }
  }
  const auto versions = product_kernels();
  ASSERT_GE(versions.count, 1u);
  for (std::size_t v = 0; v < versions.count; ++v) {
    for (const int depth : {1, 7, kTileDepth}) {
      const auto tile = std::make_unique<ProductTile>();
      tile->sums[5][6] = 0.5;
      versions.kernels[v].kernel(&a->values[0][0], &b->values[0][0], static_cast<std::size_t>(depth), *tile);
      for (int row = 0; row < kTile; ++row) {
        for (int column = 0; column < kTile; ++column) {
          double sum = row == 5 && column == 6 ? 0.5 : 0, magnitude = 0;
          for (int k = 0; k < depth; ++k) {
            sum += a->values[k][row] * b->values[k][column];
            magnitude += std::abs(a->values[k][row] * b->values[k][column]);
          }
          ASSERT_EQ(tile->sums[row][column], sum) << versions.kernels[v].name << depth;
          ASSERT_EQ(tile->magnitudes[row][column], magnitude) << versions.kernels[v].name << depth;
        }
      }
    }
  }
}

struct alignas(64) FloatPanel {
  float values[kTileDepth][kTile];
};

TEST(MinPlusKernel, EveryVersionIsThePlainMinimum) {
  const auto a = std::make_unique<FloatPanel>(), b = std::make_unique<FloatPanel>();
  for (int k = 0; k < kTileDepth; ++k) {
    for (int i = 0; i < kTile; ++i) {
      a->values[k][i] = random_float(3, 0, static_cast<std::uint64_t>(k * kTile + i));
      b->values[k][i] = random_float(3, 1, static_cast<std::uint64_t>(k * kTile + i));
    }
  }
  const auto versions = minplus_kernels();
  ASSERT_GE(versions.count, 1u);
  for (std::size_t v = 0; v < versions.count; ++v) {
    for (const int depth : {1, 7, kTileDepth}) {
      const auto tile = std::make_unique<MinPlusTile>();
      std::fill_n(&tile->least[0][0], kTile * kTile, 1e9f);
      tile->least[5][6] = -3;
      versions.kernels[v].kernel(&a->values[0][0], &b->values[0][0], static_cast<std::size_t>(depth), *tile);
      for (int row = 0; row < kTile; ++row) {
        for (int column = 0; column < kTile; ++column) {
          float least = row == 5 && column == 6 ? -3 : 1e9f;
          for (int k = 0; k < depth; ++k) least = std::min(least, a->values[k][row] + b->values[k][column]);
          ASSERT_EQ(tile->least[row][column], least) << versions.kernels[v].name << depth;
        }
      }
    }
  }
}

}  // namespace
}  // namespace warplens::problem
