/*---
title   = "The next warp is read after __syncwarp"
problem = "copy"
idea    = "__syncwarp() orders one warp, and the element is of the next one."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncwarp();
  const float next = s[(t + 32) & 127];  // fault: race-shared
  if (i < N) out[i] = s[t] + 0.0f * next;
}
