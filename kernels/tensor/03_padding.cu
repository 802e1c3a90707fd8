/*---
title = "Padding"
problem = "gemm_bf16"
idea  = "Eight numbers more a row: the rows of a fragment begin four banks apart."
watch = "The same reads in about a seventh of the wavefronts. The heat map of banks turns even, for 16 bytes a row that nobody uses."
source = "NVIDIA CUTLASS, efficient GEMM; CUDA C++ Programming Guide, bank conflicts"
show  = "A_tile"
[params]
BM = { default = 64, values = [64, 128], meaning = "rows of C in a block" }
BN = { default = 64, values = [64, 128], meaning = "columns of C in a block" }
BK = { default = 64, values = [32, 64], meaning = "depth of the tiles of A and B" }
WM = { default = 32, values = [16, 32, 64], meaning = "rows of C in a warp" }
WN = { default = 32, values = [16, 32, 64], meaning = "columns of C in a warp" }
[launch]
block   = ["BM / WM * (BN / WN) * 32"]
grid    = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = [
  { test = "M % 8 == 0 && N % 8 == 0 && K % 8 == 0", reason = "Rows begin on 16 bytes only where 8 divides the sizes" },
  { test = "BM * BN <= 32 * WM * WN", reason = "A block has at most 32 warps" },
  { test = "BM * BK % (BM / WM * (BN / WN) * 32 * 8) == 0 && BN * BK % (BM / WM * (BN / WN) * 32 * 8) == 0", reason = "The threads of a block have no equal share of the 16-byte pieces of a tile" },
  { test = "(BM + BN) * (BK + 8) * 2 + BM / WM * (BN / WN) * 1024 <= 49152", reason = "The tiles take more than 48 KiB of shared memory" },
]
---*/

#include "tensor.cuh"

constexpr int THREADS = BM / WM * (BN / WN) * 32;
constexpr int WIDTH = BK + 8;  // changed: 16 bytes more
constexpr int TILE = 16, TM = WM / TILE, TN = WN / TILE;  // fragments of a warp

// Brings rows [first, first + ROWS) of X, K numbers each, into the tile; where X has none, zeros.
template <int ROWS>
__device__ void copy_tile(bf16 (*tile)[WIDTH], const bf16* X, int first, int rows, int k, int K) {
#pragma unroll
  for (int i = threadIdx.x; i < ROWS * BK / CHUNK; i += THREADS) {
    const int row = i / (BK / CHUNK), column = i % (BK / CHUNK) * CHUNK;
    const bool inside = first + row < rows && k + column < K;
    const uint4 zeros = {};
    *reinterpret_cast<uint4*>(&tile[row][column]) =
        inside ? *reinterpret_cast<const uint4*>(X + (first + row) * K + k + column) : zeros;
  }
}

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(THREADS)
kernel(const bf16* A, const bf16* B, bf16* C, int M, int N, int K) {
  __shared__ __align__(128) bf16 A_tile[BM][WIDTH];
  __shared__ __align__(128) bf16 B_tile[BN][WIDTH];
  __shared__ __align__(16) float C_tile[THREADS / 32][TILE][TILE];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int block_row = blockIdx.y * BM, block_column = blockIdx.x * BN;
  const int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;

  FragmentC sum[TM][TN] = {};
#pragma unroll 1
  for (int k = 0; k < K; k += BK) {
    copy_tile<BM>(A_tile, A, block_row, M, k, K);
    copy_tile<BN>(B_tile, B, block_column, N, k, K);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk += TILE) {
      FragmentA a[TM];
      FragmentB b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) wmma_load_a(a[i], &A_tile[warp_row + i * TILE][kk], WIDTH);
#pragma unroll
      for (int j = 0; j < TN; ++j) wmma_load_b(b[j], &B_tile[warp_column + j * TILE][kk], WIDTH);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) wmma_multiply(sum[i][j], a[i], b[j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      wmma_store(&C_tile[warp][0][0], sum[i][j], TILE);
      __syncwarp();
      const int row = block_row + warp_row + i * TILE + lane / 2;
      const int column = block_column + warp_column + j * TILE + lane % 2 * CHUNK;
      const float* from = &C_tile[warp][lane / 2][lane % 2 * CHUNK];
      if (row < M && column < N)
        *reinterpret_cast<uint4*>(C + row * N + column) =
            make_uint4(as_bf16(from[0], from[1]), as_bf16(from[2], from[3]), as_bf16(from[4], from[5]), as_bf16(from[6], from[7]));
      __syncwarp();
    }
}
