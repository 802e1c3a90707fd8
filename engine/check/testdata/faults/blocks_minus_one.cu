/*---
title   = "Divided by the number of the other blocks"
problem = "copy"
idea    = "The elements are spread over gridDim.x - 1 other blocks, which is zero when one block is enough."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 100
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const unsigned others = gridDim.x - 1;
  const unsigned rotated = (blockIdx.x + 1) % others;  // fault: division-by-zero
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float weight = rotated < gridDim.x ? 1.0f : 1.0f - 0.0f * rotated;
  if (i < N) {
    out[i] = weight * in[i];
  }
}
