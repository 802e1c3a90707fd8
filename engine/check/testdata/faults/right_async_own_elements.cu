/*---
title   = "Asynchronous copies that only their thread reads"
problem = "reduce"
idea    = "Looks as if a barrier were missing, but each thread reads only what it copied itself, after its own wait."
[launch]
block   = ["128"]
grid    = ["3"]
---*/

// right
// size: 3000
#include <cuda_pipeline.h>
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[2][128];
  const int t = threadIdx.x, step = gridDim.x * 128;
  int i = blockIdx.x * 128 + t;
  if (i < N) __pipeline_memcpy_async(&s[0][t], &in[i], 4);
  __pipeline_commit();
  float v = 0.0f;
  for (int b = 0; i < N; i += step, b ^= 1) {
    if (i + step < N) __pipeline_memcpy_async(&s[b ^ 1][t], &in[i + step], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    v += s[b][t];
  }
  atomicAdd(out, v);
}
