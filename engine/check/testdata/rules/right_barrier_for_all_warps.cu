/*---
title   = "A numbered barrier for all threads"
problem = "copy"
idea    = "The count is the number of threads of the block."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// right
// size: 1001
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[96];
  const int i = blockIdx.x * 96 + threadIdx.x;
  s[threadIdx.x] = i < N ? in[i] : 0.0f;
  const int number = 2, threads = 96 + N / 100000;
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
  const int t = 96 - 1 - threadIdx.x, from = blockIdx.x * 96 + t;
  if (from < N) out[from] = s[t];
}
