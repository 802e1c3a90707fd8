/*---
title   = "The last k left out"
problem = "sgemm"
idea    = "The loop ends at K - 1 and leaves the last product out."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 20,28,33
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  if (row < M && col < N) {
    for (int k = 0; k < K - 1; ++k)  // fault: wrong-result
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}
