/*---
title   = "Blocks add by atomics of their own"
problem = "reduce"
idea    = "Two blocks do not see that of each other."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 2000
// severity: error
// says: an atomic of one block
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd_block(out, v);  // fault: race-global
}
