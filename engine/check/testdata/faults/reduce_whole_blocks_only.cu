/*---
title   = "Elements of whole blocks only"
problem = "reduce"
idea    = "The grid is rounded down and nothing is tested: elements behind the last whole block are not added."
[launch]
block   = ["128"]
grid    = ["max(1, floor_div(N, 128))"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const float x = in[blockIdx.x * 128 + threadIdx.x];  // fault: wrong-at-odd-size
  float v = x;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(out, v);
  }
}
