#include "engine/problem/minplus_kernel.hpp"

// As in product_kernel.cpp: vectors of the compiler, and a function pointer instead of target_clones.
namespace warplens::problem {
namespace {

template <int kLanes>
struct Vector {
  typedef float Floats __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
};

// One register tile: kRows x (kVectors * kLanes) of the result.
template <int kLanes, int kRows, int kVectors>
[[gnu::always_inline]] inline void register_tile(const float* a, const float* b, std::size_t depth,
                                                 float* out) {
  using Floats = typename Vector<kLanes>::Floats;
  Floats least[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      least[r][v] = *reinterpret_cast<const Floats*>(out + r * kTile + v * kLanes);
    }
  }
  for (std::size_t k = 0; k < depth; ++k, a += kTile, b += kTile) {
    Floats columns[kVectors];
    for (int v = 0; v < kVectors; ++v) columns[v] = *reinterpret_cast<const Floats*>(b + v * kLanes);
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) {
        const Floats sum = a[r] + columns[v];
        least[r][v] = sum < least[r][v] ? sum : least[r][v];
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      *reinterpret_cast<Floats*>(out + r * kTile + v * kLanes) = least[r][v];
    }
  }
}

template <int kLanes, int kRows, int kVectors>
[[gnu::always_inline]] inline void whole_tile(const float* a, const float* b, std::size_t depth,
                                              MinPlusTile& tile) {
  for (int row = 0; row < kTile; row += kRows) {
    for (int column = 0; column < kTile; column += kLanes * kVectors) {
      register_tile<kLanes, kRows, kVectors>(a + row, b + column, depth, &tile.least[row][column]);
    }
  }
}

// Rows x vectors fill the registers of each instruction set: 8 of 16, 8 of 16, 16 of 32.
void portable(const float* a, const float* b, std::size_t depth, MinPlusTile& tile) {
  whole_tile<4, 4, 2>(a, b, depth, tile);
}
WARPLENS_TARGET("avx2") void avx2(const float* a, const float* b, std::size_t depth, MinPlusTile& tile) {
  whole_tile<8, 4, 2>(a, b, depth, tile);
}
WARPLENS_TARGET("avx512f,avx2")
void avx512(const float* a, const float* b, std::size_t depth, MinPlusTile& tile) {
  whole_tile<16, 8, 2>(a, b, depth, tile);
}

}  // namespace

KernelVersions<MinPlusKernel> minplus_kernels() { return versions_of<MinPlusKernel>(portable, avx2, avx512); }

MinPlusKernel fastest_minplus_kernel() { return minplus_kernels().fastest(); }

}  // namespace warplens::problem
