/*---
title   = "A read by columns"
problem = "sgemm"
idea    = "The indices of A are exchanged: the kernel multiplies with the transpose of A."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,32,32
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[k * M + row] * B[k * N + col];  // fault: wrong-result
  }
  C[row * N + col] = sum;
}
