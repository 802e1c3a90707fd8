/*---
title   = "A lock that lanes of one warp take"
problem = "reduce"
idea    = "The lanes that fail wait in the loop, and the one that has the lock waits behind it for them."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// device: 6.1
// size: 100
__device__ int lock;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  while (atomicCAS(&lock, 0, 1) != 0) {  // fault: deadlock
  }
  __threadfence();
  volatile float* sum = out;
  *sum = *sum + in[i];
  __threadfence();
  atomicExch(&lock, 0);
}
