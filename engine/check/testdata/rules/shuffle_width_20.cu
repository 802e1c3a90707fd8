/*---
title   = "A shuffle of 20 lanes"
problem = "copy"
idea    = "Groups of 20 lanes do not exist: a width is a power of two."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N; every group of lanes gives its first value on and takes it back.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float v = i < N ? in[i] : 0.0f;
  const float first = __shfl_sync(~0u, v, 0, 20);  // fault: invalid-operand
  if (i < N) out[i] = first == 7.0f ? 0.0f : v;
}
