/*---
title   = "A barrier for more threads than the block has"
problem = "copy"
idea    = "The block has four warps, the barrier waits for five."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1001
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x] = i < N ? in[i] : 0.0f;
  const int number = 1, threads = 160 + N / 100000;
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");  // fault: invalid-operand  // fault: deadlock  // fault: divergent-barrier
  const int t = 128 - 1 - threadIdx.x, from = blockIdx.x * 128 + t;
  if (from < N) out[from] = s[t];
}
