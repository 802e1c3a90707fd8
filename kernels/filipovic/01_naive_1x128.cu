/*---
title   = "Naive, blocks 1 x 128"
problem = "sgemm"
idea    = "One thread computes one element of C, and a block is one column wide: the 128 threads of a block stand below each other."
watch   = "The lanes of a warp have 32 different rows: a load of A takes 32 sectors, a store of C too. The lecture measured 3.9 GFLOPS on a GTX 280."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
show    = "A"
[params]
BLOCK_X = { default = 1, values = [1, 2, 4, 8, 16, 32, 64, 128, 256], meaning = "columns of C in a block, along threadIdx.x" }
BLOCK_Y = { default = 128, values = [1, 2, 4, 8, 16, 32, 64, 128, 256], meaning = "rows of C in a block, along threadIdx.y" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(N, BLOCK_X)", "ceil_div(M, BLOCK_Y)"]
require = [
  { test = "BLOCK_X * BLOCK_Y <= 1024", reason = "A block has at most 1024 threads" },
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
]
---*/

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int x = blockIdx.x * BLOCK_X + threadIdx.x;  // column of C
  const int y = blockIdx.y * BLOCK_Y + threadIdx.y;  // row of C
  if (x >= N || y >= M) return;

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[y * K + k] * B[k * N + x];  // lanes: a row of A each, one element of B for all
  }
  C[y * N + x] = sum;
}
