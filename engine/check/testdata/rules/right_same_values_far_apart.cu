/*---
title   = "A table that blocks far apart fill alike"
problem = "copy"
idea    = "Block b and block b + 6,000 put the same values in the same part of a table."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 1000000
__device__ float table[6000 * 64];

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float* part = table + blockIdx.x % 6000 * 64;
  part[t] = 0.5f * t;
  __syncthreads();
  if (i < N) out[i] = in[i] + 0 * part[t];
}
