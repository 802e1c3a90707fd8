/*---
title   = "The result cleared by one thread of the grid"
problem = "reduce"
idea    = "Thread 0 of block 0 clears the result at the start, though other blocks may have added to it by then: blocks run in any order."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 700
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *out = 0.0f;  // fault: race-global
  __syncthreads();
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(out, v);  // fault: race-global
  }
}
