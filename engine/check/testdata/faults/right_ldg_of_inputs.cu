/*---
title   = "__ldg() and __restrict__ on what is only read"
problem = "sgemm"
idea    = "Looks like the read-only cache on a launch's own data, but A and B are not written; C is."
[launch]
block   = ["16", "8"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 8)"]
---*/

// right
// size: 33,21,17
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                                  int M, int N, int K) {
  const int row = blockIdx.y * 8 + threadIdx.y;
  const int col = blockIdx.x * 16 + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum += __ldg(A + row * K + k) * __ldg(&B[k * N + col]);
  C[row * N + col] = sum;
}
