/*---
title   = "The sixteenth barrier"
problem = "copy"
idea    = "Number 15 is the last barrier that a block has."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1001
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x] = i < N ? in[i] : 0.0f;
  const int number = 15, threads = 128;
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
  const int t = 128 - 1 - threadIdx.x, from = blockIdx.x * 128 + t;
  if (from < N) out[from] = s[t];
}
