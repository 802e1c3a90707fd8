/*---
title   = "Two warps name one barrier with different counts"
problem = "copy"
idea    = "The first warp waits at barrier 3 for 64 threads, the second says 32 for the same barrier."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 640
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[63 - t] = i < N ? in[i] : 0.0f;
  const int count = t < 32 ? 64 : 32;
  asm volatile("bar.sync 3, %0;" ::"r"(count) : "memory");  // fault: divergent-barrier
  const int j = blockIdx.x * 64 + 63 - t;
  if (j < N) out[j] = s[t];
}
