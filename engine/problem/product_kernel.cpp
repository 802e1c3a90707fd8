#include "engine/problem/product_kernel.hpp"

#include <cstdint>

// Vectors of the compiler (GCC and clang) rather than intrinsics: one body for every width.
// Chosen by a function pointer, not target_clones: its resolvers run before the sanitizers are ready.
namespace warplens::problem {
namespace {

template <int kLanes>
struct Vector {
  typedef double Doubles __attribute__((vector_size(kLanes * sizeof(double)), aligned(8), may_alias));
  typedef std::int64_t Bits __attribute__((vector_size(kLanes * sizeof(double)), aligned(8), may_alias));
};

// One register tile: kRows x (kVectors * kLanes) of the product.
template <int kLanes, int kRows, int kVectors, bool kMagnitude>
[[gnu::always_inline]] inline void register_tile(const double* a, const double* b, std::size_t depth,
                                                 double* out) {
  using Doubles = typename Vector<kLanes>::Doubles;
  using Bits = typename Vector<kLanes>::Bits;
  constexpr std::int64_t kNoSign = INT64_MAX;
  Doubles sums[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      sums[r][v] = *reinterpret_cast<const Doubles*>(out + r * kTile + v * kLanes);
    }
  }
  for (std::size_t k = 0; k < depth; ++k, a += kTile, b += kTile) {
    Doubles columns[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      columns[v] = *reinterpret_cast<const Doubles*>(b + v * kLanes);
      if constexpr (kMagnitude)
        columns[v] = reinterpret_cast<Doubles>(reinterpret_cast<Bits>(columns[v]) & kNoSign);
    }
    for (int r = 0; r < kRows; ++r) {
      const double row = kMagnitude ? __builtin_fabs(a[r]) : a[r];
      for (int v = 0; v < kVectors; ++v) sums[r][v] += row * columns[v];
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      *reinterpret_cast<Doubles*>(out + r * kTile + v * kLanes) = sums[r][v];
    }
  }
}

template <int kLanes, int kRows, int kVectors>
[[gnu::always_inline]] inline void whole_tile(const double* a, const double* b, std::size_t depth,
                                              ProductTile& tile) {
  for (int row = 0; row < kTile; row += kRows) {
    for (int column = 0; column < kTile; column += kLanes * kVectors) {
      register_tile<kLanes, kRows, kVectors, false>(a + row, b + column, depth, &tile.sums[row][column]);
      register_tile<kLanes, kRows, kVectors, true>(a + row, b + column, depth, &tile.magnitudes[row][column]);
    }
  }
}

// Rows x vectors fill the registers of each instruction set: 16 of 32, 8 of 16, 8 of 16.
void portable(const double* a, const double* b, std::size_t depth, ProductTile& tile) {
  whole_tile<2, 4, 2>(a, b, depth, tile);
}
WARPLENS_TARGET("avx2,fma")
void avx2(const double* a, const double* b, std::size_t depth, ProductTile& tile) {
  whole_tile<4, 4, 2>(a, b, depth, tile);
}
WARPLENS_TARGET("avx512f,avx2,fma")
void avx512(const double* a, const double* b, std::size_t depth, ProductTile& tile) {
  whole_tile<8, 8, 2>(a, b, depth, tile);
}

}  // namespace

KernelVersions<ProductKernel> product_kernels() { return versions_of<ProductKernel>(portable, avx2, avx512); }

ProductKernel fastest_product_kernel() { return product_kernels().fastest(); }

}  // namespace warplens::problem
