/*---
title   = "__syncwarp() for half of the lanes"
problem = "copy"
idea    = "Only the lower half of the lanes synchronises, among itself, but every lane reads what a lane of the other half stored."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 256
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * 32 + lane;
  s[31 - lane] = i < N ? in[i] : 0.0f;  // fault: race-warp
  if (lane < 16) __syncwarp(0x0000ffffu);
  const int j = blockIdx.x * 32 + 31 - lane;
  if (j < N) out[j] = s[lane];  // fault: race-warp
}
