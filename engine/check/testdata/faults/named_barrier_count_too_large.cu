/*---
title   = "A named barrier that counts too many threads"
problem = "copy"
idea    = "The producer and the consumer warp make 64 threads, but the barrier waits for 96."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int warp = threadIdx.x / 32, t = threadIdx.x;
  const int pair = warp / 2;
  const int i = blockIdx.x * 128 + t;
  s[t ^ 32] = i < N ? in[i] : 0.0f;
  if (pair == 0)
    asm volatile("bar.sync 1, 96;" ::: "memory");  // fault: divergent-barrier // fault: deadlock
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  const int j = blockIdx.x * 128 + (t ^ 32);
  if (j < N) out[j] = s[t];
}
