/*---
title   = "Naive, blocks 128 x 1"
problem = "sgemm"
idea    = "Not one line of the kernel changes: only the block is 128 columns wide and one row high now."
watch   = "A load of B is 4 sectors, a load of A one element for the whole warp. It still brings a sector of 32 bytes for 4, so the lecture's bound of 66.8 GFLOPS is out of reach; it measured 36.6 on a GTX 280."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022)"
show    = "B"
[params]
BLOCK_X = { default = 128, values = [1, 2, 4, 8, 16, 32, 64, 128, 256], meaning = "columns of C in a block, along threadIdx.x" }
BLOCK_Y = { default = 1, values = [1, 2, 4, 8, 16, 32, 64, 128, 256], meaning = "rows of C in a block, along threadIdx.y" }
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
    sum += A[y * K + k] * B[k * N + x];  // lanes: one element of A for all, 32 of B in a line
  }
  C[y * N + x] = sum;
}
