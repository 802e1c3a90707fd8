/*---
title   = "A thread's own asynchronous copy read at once"
problem = "copy"
idea    = "A thread reads the element that it copies itself, which needs no barrier but does need a wait."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 600
#include <cuda_pipeline.h>
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  __pipeline_memcpy_async(&s[threadIdx.x], &in[i], sizeof(float));  // fault: race-async
  __pipeline_commit();
  out[i] = s[threadIdx.x];  // fault: race-async
}
