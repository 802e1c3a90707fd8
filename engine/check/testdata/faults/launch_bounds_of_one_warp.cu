/*---
title   = "A bound of one warp for a block of two"
problem = "sgemm"
idea    = "The kernel was written for one warp a block, says so in __launch_bounds__, and is launched with two."
[launch]
block   = ["32", "2"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 2)"]
---*/

// size: 40,40,40
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void __launch_bounds__(32)  // fault: launch-bounds
kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 2 + threadIdx.y;
  const int col = blockIdx.x * 32 + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
#pragma unroll 8
  for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + col], sum);
  C[row * N + col] = sum;
}
