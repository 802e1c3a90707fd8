/*---
title   = "Each thread waits for its own copies alone"
problem = "copy"
idea    = "After the wait there is no barrier, and the element is of another warp."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
#include <cuda_pipeline.h>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const float v = s[127 - t];  // fault: race-shared  // fault: race-async  // fault: uninitialized-shared
  if (i < N) out[i] = s[t] + 0.0f * v;
}
