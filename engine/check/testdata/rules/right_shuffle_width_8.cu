/*---
title   = "Shuffles of 8 lanes"
problem = "copy"
idea    = "Each group of eight lanes asks its first one."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N; every group of lanes gives its first value on and takes it back.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float v = i < N ? in[i] : 0.0f;
  const float first = __shfl_sync(~0u, v, 0, 8);
  if (i < N) out[i] = first == 7.0f ? 0.0f : v;
}
