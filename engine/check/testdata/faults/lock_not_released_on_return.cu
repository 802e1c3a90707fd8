/*---
title   = "A return that keeps the lock"
problem = "reduce"
idea    = "A block with a negative sum returns without giving the lock back, and the next block spins for ever."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 512
__device__ int mutex;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x != 0) return;
  while (atomicCAS(&mutex, 0, 1) != 0) {  // fault: deadlock
  }
  __threadfence();
  volatile float* sum = out;
  *sum = *sum + v;
  __threadfence();
  if (v < 0.0f) return;  // fault: deadlock
  atomicExch(&mutex, 0);
}
