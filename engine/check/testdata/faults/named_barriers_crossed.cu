/*---
title   = "Two warps wait at two barriers in opposite order"
problem = "copy"
idea    = "The first warp waits at barrier 1 and then at 2, the second at 2 and then at 1: each waits for the other."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 128
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[63 - t] = i < N ? in[i] : 0.0f;
  if (t < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // fault: deadlock // fault: divergent-barrier
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");  // fault: deadlock // fault: divergent-barrier
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  const int j = blockIdx.x * 64 + 63 - t;
  if (j < N) out[j] = s[t];
}
