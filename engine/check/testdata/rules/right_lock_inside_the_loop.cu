/*---
title   = "A lock that is given back inside the loop"
problem = "reduce"
idea    = "Looks the same; before 7.0 a lane gives the lock back before it waits for the others."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// device: 6.1
// size: 100
__device__ int lock;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      volatile float* sum = out;
      *sum = *sum + in[i];
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
