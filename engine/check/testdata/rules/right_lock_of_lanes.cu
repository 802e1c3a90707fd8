/*---
title   = "A lock that lanes of one warp take, from 7.0 on"
problem = "reduce"
idea    = "Lanes go their own ways there: who has the lock goes on."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 100
__device__ int lock;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile float* sum = out;
  *sum = *sum + in[i];
  __threadfence();
  atomicExch(&lock, 0);
}
