/*---
title   = "All threads store the same value"
problem = "copy"
idea    = "Looks like a race: every thread of the block stores to one shared element, but all store the same number."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int first;
  first = blockIdx.x * 128;
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i < N) out[i] = in[i];
}
