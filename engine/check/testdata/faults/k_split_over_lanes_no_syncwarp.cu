/*---
title   = "Partial sums of lanes added by lane 0"
problem = "sgemm"
idea    = "The lanes share the work along K and lane 0 adds their sums from shared memory without waiting for the lanes."
[launch]
block   = ["32"]
grid    = ["N", "M"]
---*/

// size: 8,16,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float part[32];
  const int lane = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
  float sum = 0.0f;
  for (int k = lane; k < K; k += 32) sum += A[row * K + k] * B[k * N + col];
  part[lane] = sum;  // fault: race-warp
  if (lane == 0) {
    float c = 0.0f;
    for (int l = 0; l < 32; ++l) c += part[l];  // fault: race-warp
    C[row * N + col] = c;
  }
}
