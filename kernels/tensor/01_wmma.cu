/*---
title = "WMMA from global memory"
problem = "gemm_bf16"
idea  = "A warp multiplies 16 x 16 x 16 numbers with one instruction: wmma. It loads its fragments of A and B straight from global memory."
watch = "Each fragment is used once. A load takes 16 bytes from each of eight rows that lie K numbers apart, half of what the sectors bring: most of the time goes into loads."
source = "CUDA C++ Programming Guide, warp matrix functions; PTX ISA, wmma"
show  = "A"
[params]
WARPS = { default = 4, values = [1, 2, 4, 8], meaning = "warps in a block, each with a tile of C of its own" }
[launch]
block   = ["32 * WARPS"]
grid    = ["ceil_div(N, 16 * WARPS)", "ceil_div(M, 16)"]
require = [
  { test = "M % 16 == 0 && N % 16 == 0 && K % 16 == 0", reason = "wmma loads whole tiles of 16 x 16, and nothing guards the edges here" },
]
---*/

#include "tensor.cuh"

constexpr int TILE = 16;

// C[M][N] = A[M][K] * B[K][N]; A and C row-major, B column-major.
extern "C" __global__ void __launch_bounds__(32 * WARPS)
kernel(const bf16* A, const bf16* B, bf16* C, int M, int N, int K) {
  __shared__ __align__(16) float C_tile[WARPS][TILE][TILE];  // only to turn the sums into bf16 at the end
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.y * TILE, column = (blockIdx.x * WARPS + warp) * TILE;
  if (column >= N) return;

  FragmentA a;
  FragmentB b;
  FragmentC sum = {};
#pragma unroll 1
  for (int k = 0; k < K; k += TILE) {
    wmma_load_a(a, A + row * K + k, K);     // 16 rows of 32 bytes
    wmma_load_b(b, B + column * K + k, K);  // 16 columns of 32 bytes
    wmma_multiply(sum, a, b);
  }

  wmma_store(&C_tile[warp][0][0], sum, TILE);
  __syncwarp();
  const float* from = &C_tile[warp][lane / 2][lane % 2 * CHUNK];
  *reinterpret_cast<uint4*>(C + (row + lane / 2) * N + column + lane % 2 * CHUNK) =
      make_uint4(as_bf16(from[0], from[1]), as_bf16(from[2], from[3]), as_bf16(from[4], from[5]), as_bf16(from[6], from[7]));
}
