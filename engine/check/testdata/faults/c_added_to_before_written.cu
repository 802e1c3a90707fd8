/*---
title   = "C used as the accumulator"
problem = "sgemm"
idea    = "The sum is kept in C itself, which was never set to zero."
[launch]
block   = ["8", "8"]
grid    = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
---*/

// size: 20,24,16
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int col = blockIdx.x * 8 + threadIdx.x;
  if (row >= M || col >= N) return;
  for (int k = 0; k < K; k++) {
    C[row * N + col] += A[row * K + k] * B[k * N + col];  // fault: uninitialized-global
  }
}
