/*---
title   = "All lanes store to one element"
problem = "reduce"
idea    = "All 32 lanes store their running sums to the same element, where only lane 0 has the whole sum: which lane comes last is not defined."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float warp_sum[4];
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  warp_sum[threadIdx.x / 32] = v;  // fault: race-warp
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3]);
}
