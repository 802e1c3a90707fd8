/*---
title   = "Blocks copy from what other blocks wrote"
problem = "copy"
idea    = "The odd blocks check their left neighbour's last output, which another block may not have written yet."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= N) return;
  out[i] = in[i];  // fault: race-global
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    const float left = out[i - 1];  // fault: race-global
    if (left > 1.0e30f) out[i] = left;
  }
}
