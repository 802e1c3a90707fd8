/*---
title   = "Tiles that overlap by a column"
problem = "sgemm"
idea    = "Blocks are 16 columns wide and 15 apart, and the last column of each is stored with half of the sum: the block that comes last wins."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 15)", "ceil_div(M, 16)"]
---*/

// size: 40,40,24
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int tx = threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int col = blockIdx.x * 15 + tx;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  const int from = tx == 15 ? K / 2 : 0;
  for (int k = from; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;  // fault: race-global
}
