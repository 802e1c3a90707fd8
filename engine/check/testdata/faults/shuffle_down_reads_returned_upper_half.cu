/*---
title   = "The upper half has left before the shuffle"
problem = "sgemm"
idea    = "The upper 16 lanes leave after their part of the sum, and the lower ones still ask them for it."
[launch]
block   = ["32"]
grid    = ["N", "M"]
---*/

// size: 10,9,40
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int lane = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
  float sum = 0.0f;
  for (int k = lane; k < K; k += 32) sum += A[row * K + k] * B[k * N + col];
  if (lane >= 16) return;
  sum += __shfl_down_sync(0x0000ffffu, sum, 16);  // fault: inactive-source-lane
  for (int d = 8; d > 0; d >>= 1) sum += __shfl_down_sync(0x0000ffffu, sum, d, 16);
  if (lane == 0) C[row * N + col] = sum;
}
