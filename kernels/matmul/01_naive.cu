/*---
title   = "Naive"
problem = "sgemm"
idea    = "One thread computes one element of C; threadIdx.x walks down the rows, as the formula C[i][j] suggests."
watch   = "Neighbouring lanes read A one whole row apart: 32 sectors a load where 4 would do, and the same for every store of C."
source  = "CUDA C++ Programming Guide, device memory accesses"
[params]
BLOCK_X = { default = 32, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "rows of C in a block, along threadIdx.x" }
BLOCK_Y = { default = 32, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "columns of C in a block, along threadIdx.y" }
[launch]
block   = ["BLOCK_X", "BLOCK_Y"]
grid    = ["ceil_div(M, BLOCK_X)", "ceil_div(N, BLOCK_Y)"]
require = [
  { test = "BLOCK_X * BLOCK_Y <= 1024", reason = "A block has at most 1024 threads" },
  { test = "BLOCK_X * BLOCK_Y >= 32", reason = "A block smaller than one warp leaves lanes without work" },
]
---*/

// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.x * BLOCK_X + threadIdx.x;
  const int column = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row >= M || column >= N) return;

  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[k * N + column];
  }
  C[row * N + column] = sum;
}
