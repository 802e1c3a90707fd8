/*---
title   = "No guards at all"
problem = "sgemm"
idea    = "The kernel has no guards: it is right when M and N are multiples of the block and reads and writes out of bounds otherwise."
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 8)"]
---*/

// size: 64,32,32
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[k * N + col];  // fault: wrong-at-odd-size
  }
  C[row * N + col] = sum;  // fault: wrong-at-odd-size
}
