/*---
title   = "An element of the next block is changed, right"
problem = "copy"
idea    = "Blocks run in any order, so it may be written before or after the copy."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) out[i] = in[i];
  
}
