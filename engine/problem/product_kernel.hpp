// The inner loop of the reference of a matrix product, in double, with the widest vectors the machine has.
#pragma once

#include <cstddef>

namespace warplens::problem {

constexpr int kTile = 32;        // edge of a tile of the product
constexpr int kTileDepth = 128;  // terms handed over at once: two panels of 32 KiB

// One inner loop for each of the vector widths that this processor has, the fastest last.
template <class Kernel>
struct KernelVersions {
  struct Named {
    const char* name;
    Kernel kernel;
  };
  Named kernels[3];
  std::size_t count = 0;
  Kernel fastest() const { return kernels[count - 1].kernel; }
};
// Those of three that this processor runs. avx512 takes avx2 for granted.
template <class Kernel>
KernelVersions<Kernel> versions_of(Kernel portable, [[maybe_unused]] Kernel avx2,
                                   [[maybe_unused]] Kernel avx512) {
  KernelVersions<Kernel> list{};
  list.kernels[list.count++] = {"portable", portable};
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) list.kernels[list.count++] = {"avx2", avx2};
  if (has_avx2 && __builtin_cpu_supports("avx512f")) list.kernels[list.count++] = {"avx512", avx512};
#endif
  return list;
}
#if defined(__x86_64__)
#define WARPLENS_TARGET(features) [[gnu::target(features)]]
#else
#define WARPLENS_TARGET(features)
#endif

// a, b: kTile values for each of depth terms, the terms one after the other (a[k][row], b[k][column]);
// 64-byte aligned. sums[row][column] += sum over k of a[k][row] * b[k][column], in the order of k whatever
// the vector width. magnitudes: the same with |a| |b|.
struct ProductTile {
  double sums[kTile][kTile];
  double magnitudes[kTile][kTile];
};
using ProductKernel = void (*)(const double* a, const double* b, std::size_t depth, ProductTile& tile);

// The fastest version this processor runs.
ProductKernel fastest_product_kernel();
// Every version it runs, for tests: all give the same bits.
KernelVersions<ProductKernel> product_kernels();

}  // namespace warplens::problem
