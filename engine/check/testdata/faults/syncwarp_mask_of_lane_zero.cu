/*---
title   = "__syncwarp(1) for the whole warp"
problem = "copy"
idea    = "All lanes call __syncwarp(1), a mask of lane 0 only: for the others it is undefined and waits for nobody."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 320
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * 32 + lane;
  s[lane] = i < N ? in[i] : 0.0f;
  __syncwarp(1);  // fault: mask-without-caller
  const float v = s[lane];
  if (i < N) out[i] = v;
}
