/*---
title   = "The copy is not waited for"
problem = "copy"
idea    = "A barrier does not wait for asynchronous copies."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
#include <cuda_pipeline.h>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) __pipeline_memcpy_async(&s[t], &in[i], 4);
  __pipeline_commit();
  __syncthreads();
  if (i < N) out[i] = s[t];  // fault: race-async
}
