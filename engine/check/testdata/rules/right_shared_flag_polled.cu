/*---
title   = "A shared flag that another warp waits for"
problem = "reduce"
idea    = "The flag is volatile, and a fence of the block is before it and behind the wait."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ volatile int flag;
  __shared__ volatile float first;
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x == 0) {
    first = v;
    __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    atomicAdd(out, v + first);
  }
}
