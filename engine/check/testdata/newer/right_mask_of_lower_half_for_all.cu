/*---
title   = "The mask names the lower half alone, right"
problem = "reduce"
idea    = "The upper 16 lanes call the shuffle with a mask that leaves them out."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d, 16);
  if (t % 16 == 0) atomicAdd(out, v);
}
