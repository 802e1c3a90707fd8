/*---
title   = "An index of type short"
problem = "copy"
idea    = "The index is a short: from element 32768 on it is negative."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 40000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const short i = static_cast<short>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < N) {
    out[i] = in[i];  // fault: out-of-bounds
  }
}
