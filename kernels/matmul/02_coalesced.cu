/*---
title   = "Coalesced"
problem = "sgemm"
idea    = "The same kernel with the roles of x and y exchanged: threadIdx.x now walks along a row of B and of C."
watch   = "A warp's load of B is 4 sectors, its load of A is one broadcast sector, its store of C is 4 sectors. Try BLOCK_X below 32."
source  = "CUDA C++ Best Practices Guide, coalesced access to global memory"
[params]
BLOCK_X = { default = 32, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "columns of C in a block, along threadIdx.x" }
BLOCK_Y = { default = 32, values = [1, 2, 4, 8, 16, 32, 64, 128], meaning = "rows of C in a block, along threadIdx.y" }
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
  const int column = blockIdx.x * BLOCK_X + threadIdx.x;  // changed: lanes of a warp are neighbours in memory
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row >= M || column >= N) return;

  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[k * N + column];  // A: one element for all; B: 32 in a line
  }
  C[row * N + column] = sum;
}
