/*---
title   = "Scratch that blocks far apart share"
problem = "copy"
idea    = "Block b and block b + 6,000 put their elements in the same part of scratch."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 1000000
__device__ float scratch[6000 * 64];

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float* part = scratch + blockIdx.x % 6000 * 64;
  part[t] = i < N ? in[i] : 0;  // fault: race-global
  __syncthreads();
  if (i < N) out[i] = in[i] + 0 * part[t ^ 1];  // fault: race-global
}
