/*---
title   = "Atomic additions to a C that nobody clears"
problem = "sgemm"
idea    = "Four blocks add their parts of K to C with atomics, as is right, but C was never set to zero."
[launch]
block   = ["16", "16", "1"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)", "4"]
---*/

// size: 16,16,64
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  const int part = (K + gridDim.z - 1) / gridDim.z;
  const int begin = blockIdx.z * part, end = min(K, begin + part);
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (int k = begin; k < end; ++k) sum += A[row * K + k] * B[k * N + col];
  atomicAdd(&C[row * N + col], sum);  // fault: uninitialized-global
}
