/*---
title   = "A value set inside the range only"
problem = "reduce"
idea    = "v is set for threads inside the input only, but all lanes give theirs to the shuffles."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v;  // fault: uninitialized-register
  if (i < N) v = in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);  // fault: uninitialized-register
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);  // fault: uninitialized-register
}
