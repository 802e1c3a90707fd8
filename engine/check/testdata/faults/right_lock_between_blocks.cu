/*---
title   = "A lock between blocks"
problem = "reduce"
idea    = "Looks like an unprotected sum and an endless wait, but one thread a block takes the lock, fences stand on both sides, and it is always given back."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
__device__ int lock;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile float* sum = out;
    *sum = *sum + s[0];
    __threadfence();
    atomicExch(&lock, 0);
  }
}
