/*---
title   = "Lane 0 writes what its warp reads at once"
problem = "copy"
idea    = "The lanes of a warp need not go together."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float first[4];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t, warp = t / 32;
  if (t % 32 == 0) first[warp] = i < N ? in[i] : 0.0f;  // fault: race-warp
  const float v = first[warp];  // fault: race-warp
  if (i < N) out[i] = in[i] + 0.0f * v;
}
