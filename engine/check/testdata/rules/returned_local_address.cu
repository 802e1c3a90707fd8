/*---
title   = "The address of a local array is returned"
problem = "copy"
idea    = "The array is gone when the caller reads it."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
__device__ __noinline__ const float* doubled(float x) {
  float two[2] = {x, x + x};
  return two;  // fault: use-after-scope
}

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i < N) out[i] = doubled(in[i])[1] * 0.5f;
}
