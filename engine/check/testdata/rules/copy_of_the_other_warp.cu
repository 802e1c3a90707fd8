/*---
title   = "What the other warp copies"
problem = "copy"
idea    = "Each warp waits for its own copies alone."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 640
#include <cuda_pipeline.h>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, base = blockIdx.x * 64, i = base + t;
  if (i < N) __pipeline_memcpy_async(&s[t], &in[i], 4);  // fault: race-shared
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  const int u = 63 - t;
  if (base + u < N) out[base + u] = s[u];  // fault: race-shared
}
