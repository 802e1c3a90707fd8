/*---
title   = "Four warps add to one element of C by atomics"
problem = "sgemm"
idea    = "Looks like the race on C and the sum in an unset C, but the first warp sets it, a barrier follows, and the additions are atomic."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "M"]
---*/

// right
// size: 12,20,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.y == 0 && col < N) C[row * N + col] = 0.0f;
  __syncthreads();
  if (col >= N) return;
  float sum = 0.0f;
  for (int k = threadIdx.y; k < K; k += 4) sum += A[row * K + k] * B[k * N + col];
  atomicAdd(&C[row * N + col], sum);
}
