/*---
title   = "A value of thread 0 read too early"
problem = "copy"
idea    = "Thread 0 puts the block's first index into shared memory, and the other warps read it without a barrier."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int first;
  if (threadIdx.x == 0) first = blockIdx.x * blockDim.x;  // fault: race-shared
  __syncwarp();
  const int i = first + threadIdx.x;  // fault: race-shared
  if (i < N) out[i] = in[i];
}
