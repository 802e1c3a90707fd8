/*---
title   = "Three stages, a wait for one group too few"
problem = "sgemm"
idea    = "With three stages two groups are under way at the wait and one of them is the tile needed next: the wait must leave one, not two."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,64,96
#include <cuda_pipeline.h>
// C[M][N] = A[M][K] * B[K][N], all row-major.
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[3][16][16], Bs[3][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  auto fetch = [&](int tile) {
    const int ka = tile * 16 + tx, kb = tile * 16 + ty, s = tile % 3;
    const bool a = row < M && ka < K, b = col < N && kb < K;
    __pipeline_memcpy_async(&As[s][ty][tx], a ? &A[row * K + ka] : A, 4, a ? 0 : 4);  // fault: race-async
    __pipeline_memcpy_async(&Bs[s][ty][tx], b ? &B[kb * N + col] : B, 4, b ? 0 : 4);  // fault: race-async
    __pipeline_commit();
  };
  fetch(0);
  fetch(1);
  float sum = 0.0f;
  for (int tile = 0; tile * 16 < K; ++tile) {
    __pipeline_wait_prior(2);  // fault: race-async
    __syncthreads();
    fetch(tile + 2);
    for (int k = 0; k < 16; ++k) sum += As[tile % 3][ty][k] * Bs[tile % 3][k][tx];  // fault: race-async
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
