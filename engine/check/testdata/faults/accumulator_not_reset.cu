/*---
title   = "The accumulator not set back between rows"
problem = "sgemm"
idea    = "One thread computes a whole column of C and forgets to set its sum back for each new row."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)", "1"]
---*/

// size: 24,40,16
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  if (col >= N) return;
  float sum = 0.0f;  // fault: wrong-result
  for (int row = 0; row < M; ++row) {
    for (int k = 0; k < K; ++k) {
      sum += A[row * K + k] * B[k * N + col];  // fault: wrong-result
    }
    C[row * N + col] = sum;
  }
}
