/*---
title   = "A tree without barriers in its loop"
problem = "reduce"
idea    = "Each level needs the level before it."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // fault: race-shared  // fault: race-warp
  }
  if (t == 0) atomicAdd(out, s[0]);
}
