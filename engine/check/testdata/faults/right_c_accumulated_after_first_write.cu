/*---
title   = "C as the accumulator, written first"
problem = "sgemm"
idea    = "Looks like C read before it is written, but its owner sets it to zero before it adds to it."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 20,30,40
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N) return;
  C[row * N + col] = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    float part = 0.0f;
    for (int k = k0; k < min(k0 + 8, K); ++k) part += A[row * K + k] * B[k * N + col];
    C[row * N + col] += part;
  }
}
