/*---
title   = "64 sums a thread in a block of 1024"
problem = "sgemm"
idea    = "A thread with 8 by 8 sums takes more than 64 registers, and 1024 such threads more than the 65536 of a multiprocessor."
[launch]
block   = ["32", "32"]
grid    = ["ceil_div(N, 256)", "ceil_div(M, 256)"]
---*/

// size: 64,64,32
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {  // fault: launch-registers
  const int row0 = blockIdx.y * 256 + threadIdx.y * 8, col0 = blockIdx.x * 256 + threadIdx.x * 8;
  float sum[8][8] = {};
  for (int k = 0; k < K; ++k) {
    float a[8], b[8];
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      a[e] = row0 + e < M ? A[(row0 + e) * K + k] : 0.0f;
      b[e] = col0 + e < N ? B[k * N + col0 + e] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      if (row0 + i < M && col0 + j < N) C[(row0 + i) * N + col0 + j] = sum[i][j];
}
