/*---
title   = "An asynchronous pipeline of three stages"
problem = "sgemm"
idea    = "Looks as if the newest copies were not waited for, and they are not: the wait leaves one group under way, and the tile that is used is older."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// right
// size: 32,48,100
#include <cuda_pipeline.h>
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[3][16][16], Bs[3][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  auto fetch = [&](int tile) {
    const int ka = tile * 16 + tx, kb = tile * 16 + ty, s = tile % 3;
    const bool a = row < M && ka < K, b = col < N && kb < K;
    __pipeline_memcpy_async(&As[s][ty][tx], a ? &A[row * K + ka] : A, 4, a ? 0 : 4);
    __pipeline_memcpy_async(&Bs[s][ty][tx], b ? &B[kb * N + col] : B, 4, b ? 0 : 4);
    __pipeline_commit();
  };
  fetch(0);
  fetch(1);
  float sum = 0.0f;
  for (int tile = 0; tile * 16 < K; ++tile) {
    __pipeline_wait_prior(1);
    __syncthreads();
    fetch(tile + 2);
    for (int k = 0; k < 16; ++k) sum += As[tile % 3][ty][k] * Bs[tile % 3][k][tx];
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
