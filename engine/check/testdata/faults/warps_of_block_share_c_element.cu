/*---
title   = "Two warps of a block add to one element of C"
problem = "sgemm"
idea    = "Two warps share K, the first sets C and after a barrier both add to it with an ordinary +=."
[launch]
block   = ["32", "2"]
grid    = ["ceil_div(N, 32)", "M"]
---*/

// size: 12,20,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.y == 0 && col < N) C[row * N + col] = 0.0f;
  __syncthreads();
  float sum = 0.0f;
  if (col < N)
    for (int k = threadIdx.y; k < K; k += 2) sum += A[row * K + k] * B[k * N + col];
  if (col < N) C[row * N + col] += sum;  // fault: race-global
}
