/*---
title   = "The bins are cleared without a barrier, right"
problem = "copy"
idea    = "Other warps count before the first one has cleared."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int bins[32];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t < 32) bins[t] = 0;
  __syncthreads();
  if (i < N) atomicAdd(&bins[t % 32], 1);
  __syncthreads();
  if (i < N) out[i] = in[i] + 0.0f * bins[t % 32];
}
