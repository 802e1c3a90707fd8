/*---
title   = "Groups of eight lanes with their own __syncwarp()"
problem = "copy"
idea    = "Looks like __syncwarp() without all lanes, but only the eight lanes of a group share anything."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 400
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, lane = t % 32;
  const unsigned group = 0xffu << (lane / 8 * 8);
  const int i = blockIdx.x * 64 + t;
  s[t ^ 7] = i < N ? in[i] : 0.0f;
  __syncwarp(group);
  const int j = blockIdx.x * 64 + (t ^ 7);
  if (j < N) out[j] = s[t];
}
