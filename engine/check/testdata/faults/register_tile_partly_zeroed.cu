/*---
title   = "A tile of sums of which only a part is zeroed"
problem = "sgemm"
idea    = "The loop that zeroes the sums covers three of the four rows of the thread's tile."
[params]
TM = { default = 4, values = [4], meaning = "rows and columns of C in a thread" }
[launch]
block   = ["8", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// size: 32,32,24
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row0 = blockIdx.y * 32 + threadIdx.y * TM, col0 = blockIdx.x * 32 + threadIdx.x * TM;
  float sum[TM][TM];  // fault: uninitialized-local // fault: uninitialized-register
#pragma unroll 1
  for (int i = 0; i < TM - 1; ++i)
    for (int j = 0; j < TM; ++j) sum[i][j] = 0.0f;
  for (int k = 0; k < K; ++k)
#pragma unroll 1
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TM; ++j)
        if (row0 + i < M && col0 + j < N)
          sum[i][j] += A[(row0 + i) * K + k] * B[k * N + col0 + j];  // fault: uninitialized-local // fault: uninitialized-register
#pragma unroll 1
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TM; ++j)
      if (row0 + i < M && col0 + j < N) C[(row0 + i) * N + col0 + j] = sum[i][j];  // fault: uninitialized-local
}
