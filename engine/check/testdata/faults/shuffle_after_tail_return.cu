/*---
title   = "A shuffle after lanes have returned"
problem = "reduce"
idea    = "Lanes past the end return, then the others shuffle under a full mask and add what lanes give that are no longer there."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= N) return;
  float v = in[i];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);  // fault: inactive-source-lane // fault: mask-without-caller
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
