/*---
title   = "A break that the whole block takes"
problem = "reduce"
idea    = "Looks like a break that leaves others at the barrier, but __syncthreads_or() gives every thread the same answer."
[launch]
block   = ["64"]
grid    = ["6"]
---*/

// right
// size: 3000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float v = 0.0f;
  int i = blockIdx.x * 64 + threadIdx.x;
  for (;;) {
    const bool more = i < N;
    if (!__syncthreads_or(more)) break;
    if (more) v += in[i];
    i += gridDim.x * 64;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
