/*---
title   = "A variable unset where it is not used"
problem = "sgemm"
idea    = "Looks like a register without a value, but it is used under the same condition under which it was set."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 30,30,30
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  const bool inside = row < M && col < N;
  float sum;
  if (inside) sum = A[row * K] * B[col];
  for (int k = 1; k < K; ++k) {
    __syncthreads();  // keeps the warps together, for the cache's sake
    if (inside) sum += A[row * K + k] * B[k * N + col];
  }
  if (inside) C[row * N + col] = sum;
}
