/*---
title   = "Lane 0 waits alone"
problem = "copy"
idea    = "Thread 0 alone executes the barrier after it has stored the first index; all others run on."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 320
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  volatile __shared__ int first;
  if (threadIdx.x == 0) {
    first = blockIdx.x * 64;
    __syncthreads();  // fault: divergent-barrier
  }
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < N) out[i] = in[i];
}
