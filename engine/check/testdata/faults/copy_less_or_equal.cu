/*---
title   = "One element too many"
problem = "copy"
idea    = "The test says i <= N where i < N is meant: one thread copies the element behind the last."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128) + 1"]
---*/

// size: 512
// One block more than needed makes sure that nothing is forgotten.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= N) {
    out[i] = in[i];  // fault: out-of-bounds
  }
}
