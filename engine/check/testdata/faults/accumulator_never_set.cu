/*---
title   = "The accumulator is never set to zero"
problem = "sgemm"
idea    = "sum has no first value: what is added to it begins with whatever the register held."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 17,19,23
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum;  // fault: uninitialized-register
    for (int k = 0; k < K; ++k) {
      sum += A[row * K + k] * B[k * N + col];  // fault: uninitialized-register
    }
    C[row * N + col] = sum;  // fault: uninitialized-register
  }
}
