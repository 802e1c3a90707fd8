/*---
title   = "Only the first warp waits for its copies"
problem = "copy"
idea    = "The wait stands in a branch of the first warp; the other warps' copies are never waited for, and their barrier does not do it."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
#include <cuda_pipeline.h>
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) __pipeline_memcpy_async(&s[t], &in[i], 4);  // fault: race-async
  __pipeline_commit();
  if (t < 32) __pipeline_wait_prior(0);
  __syncthreads();
  const int j = blockIdx.x * 128 + 127 - t;
  if (j < N) out[j] = s[127 - t];  // fault: race-async
}
