/*---
title   = "The last element is not copied"
problem = "copy"
idea    = "The test says i < N - 1."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < N - 1) {  // fault: unwritten-output
    out[i] = in[i];
    i += stride;
  }
}
