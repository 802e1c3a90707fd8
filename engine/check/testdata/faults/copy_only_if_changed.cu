/*---
title   = "Only what differs is copied"
problem = "copy"
idea    = "The kernel compares with the old output to spare stores, and the old output was never written."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 300
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < N) {
    const float new_value = in[i];
    if (out[i] != new_value) {  // fault: uninitialized-global
      out[i] = new_value;
    }
  }
}
