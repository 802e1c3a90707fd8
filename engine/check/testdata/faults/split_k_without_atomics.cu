/*---
title   = "K split over blocks without atomics"
problem = "sgemm"
idea    = "Four blocks own the same element of C, each adds its quarter of K by load, add and store: sums get lost."
[launch]
block   = ["16", "16", "1"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)", "4"]
---*/

// size: 16,16,128
// Block z of the grid's third dimension takes every fourth part of K; the first one sets C.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (int k = blockIdx.z; k < K; k += gridDim.z) sum += A[row * K + k] * B[k * N + col];
  if (blockIdx.z == 0)
    C[row * N + col] = sum;  // fault: race-global
  else
    C[row * N + col] += sum;  // fault: race-global
}
