/*---
title   = "First the barrier, then the wait"
problem = "minplus"
idea    = "The barrier comes before the wait: when a thread has passed both, its own copies have come but those of other warps need not have."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 48
#include <cuda_pipeline.h>
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float tile[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
  float least = 1e30f;
  for (int k0 = 0; k0 < N; k0 += 16) {
    if (k0 + ty < N && j < N)
      __pipeline_memcpy_async(&tile[ty][tx], &d[(k0 + ty) * N + j], 4);  // fault: race-async
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    for (int k = 0; k < 16 && k0 + k < N; ++k)
      if (i < N && j < N) least = fminf(least, d[i * N + k0 + k] + tile[k][tx]);  // fault: race-async
    __syncthreads();
  }
  if (i < N && j < N) r[i * N + j] = least;
}
