/*---
title   = "More threads than __launch_bounds__ says"
problem = "reduce"
idea    = "The kernel promises at most 128 threads a block and is launched with 256."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void __launch_bounds__(128)  // fault: launch-bounds
kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
