/*---
title   = "A wait for one block too many"
problem = "copy"
idea    = "Every block raises the counter once, and all wait until it has reached one more than the number of blocks."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 256
__device__ unsigned arrived;

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x + 1) {  // fault: deadlock // fault: endless-loop
    }
  }
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < N) out[i] = in[i];
}
