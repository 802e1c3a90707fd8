/*---
title   = "A stage refilled while others read it"
problem = "sgemm_column"
idea    = "The copy into the stage that was just used begins without a barrier after its use: the other warp may still read there."
[launch]
block   = ["64"]
grid    = ["ceil_div(M, 64)", "N"]
---*/

// size: 64,40,300
#include <cuda_pipeline.h>
// a[n][m] = b[n][p] * c[p][m], all column-major.
extern "C" __global__ void kernel(float* a, const float* b, const float* c, int n, int m, int p) {
  __shared__ float strip[2][64];
  const int tx = threadIdx.x, i = blockIdx.x * 64 + tx, j = blockIdx.y;
  auto fetch = [&](int stage, int k0) {
    if (k0 + tx < p)
      __pipeline_memcpy_async(&strip[stage][tx], &c[k0 + tx + p * j], 4);  // fault: race-async // fault: race-shared
    __pipeline_commit();
  };
  fetch(0, 0);
  fetch(1, 64);
  float sum = 0.0f;
  for (int k0 = 0, stage = 0; k0 < p; k0 += 64, stage ^= 1) {
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < 64 && k0 + k < p; ++k)
      if (i < n) sum += b[i + n * (k0 + k)] * strip[stage][k];  // fault: race-async // fault: race-shared
    fetch(stage, k0 + 128);
  }
  if (i < n) a[i + n * j] = sum;
}
