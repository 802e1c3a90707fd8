/*---
title   = "A lock held across __syncwarp()"
problem = "reduce"
idea    = "The lane that has the lock waits at __syncwarp() for the lanes that wait for the lock."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 64
__device__ int lock;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float v = i < N ? in[i] : 0.0f;
  while (atomicCAS(&lock, 0, 1) != 0) {  // fault: deadlock
  }
  __threadfence();
  volatile float* sum = out;
  *sum = *sum + v;
  __threadfence();
  __syncwarp();  // fault: deadlock
  atomicExch(&lock, 0);
}
