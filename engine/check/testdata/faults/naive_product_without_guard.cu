/*---
title   = "The naive product without a guard"
problem = "sgemm"
idea    = "Rows past the last one are not kept out: the threads of the last block read past A and write past C."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 30,16,20
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[row * K + k] * B[k * N + col];  // fault: out-of-bounds
  }
  C[row * N + col] = sum;  // fault: out-of-bounds
}
