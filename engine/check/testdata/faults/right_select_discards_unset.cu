/*---
title   = "An unset value that a select throws away"
problem = "reduce"
idea    = "Looks like an unset value: lanes beyond the warps of the block read shared memory that nobody wrote, and a select discards it."
[launch]
block = ["96"]
grid = ["ceil_div(N,96)"]
---*/

// right
extern "C" __global__ void red(const float* in, float* out, int N) {
  __shared__ float p[32];
  int i = blockIdx.x*96+threadIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float v = i < N ? in[i] : 0;
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (lane == 0) p[w] = v;
  __syncthreads();
  if (w == 0) {
    float u = p[lane];
    if (lane >= 3) u = 0.f;
    u += __shfl_xor_sync(~0u, u, 2);
    u += __shfl_xor_sync(~0u, u, 1);
    if (lane == 0) atomicAdd(out, u);
  }
}
