/*---
title   = "Two halves of a block with a barrier each"
problem = "copy"
idea    = "Looks as if half of the block missed the barrier, but each half has its own number and its own part of shared memory."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1024
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[2][64];
  const int half = threadIdx.x / 64, t = threadIdx.x % 64;
  const int first = blockIdx.x * 128 + half * 64;
  if (first + t < N) s[half][t] = in[first + t];
  if (half == 0)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  if (first + 63 - t < N) out[first + 63 - t] = s[half][63 - t];
}
