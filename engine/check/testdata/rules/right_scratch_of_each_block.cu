/*---
title   = "Scratch of each block"
problem = "copy"
idea    = "Looks the same, with a part of scratch for each block."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 1000000
__device__ float scratch[16000 * 64];

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float* part = scratch + blockIdx.x % 16000 * 64;
  part[t] = i < N ? in[i] : 0;
  __syncthreads();
  if (i < N) out[i] = in[i] + 0 * part[t ^ 1];
}
