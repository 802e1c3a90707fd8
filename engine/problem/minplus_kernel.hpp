// The inner loop of the reference of a min-plus product, in float, with the widest vectors the machine has.
#pragma once

#include <cstddef>

#include "engine/problem/product_kernel.hpp"

namespace warplens::problem {

// a, b: kTile values for each of depth terms, the terms one after the other (a[k][row], b[k][column]);
// 64-byte aligned. least[row][column] becomes the least of itself and every a[k][row] + b[k][column]. Each
// sum is rounded once, as on the GPU, and the least of numbers knows no order: the same bits whatever the
// vector width.
struct alignas(64) MinPlusTile {
  float least[kTile][kTile];
};
using MinPlusKernel = void (*)(const float* a, const float* b, std::size_t depth, MinPlusTile& tile);

// The fastest version this processor runs.
MinPlusKernel fastest_minplus_kernel();
// Every version it runs, for tests.
KernelVersions<MinPlusKernel> minplus_kernels();

}  // namespace warplens::problem
