/*---
title   = "The output read back by its owner"
problem = "copy"
idea    = "Looks like a read of another thread's output, but each thread reads only the element that it wrote before."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 600
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < N) {
    volatile float* mine = out + i;
    *mine = 2.0f * in[i];
    *mine = 0.5f * *mine;
  }
}
