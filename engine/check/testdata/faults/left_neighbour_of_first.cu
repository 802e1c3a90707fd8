/*---
title   = "The left neighbour of the first element"
problem = "copy"
idea    = "Every thread looks at the element to its left, and the first has none: it reads in[-1]."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 640
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  const float left = in[i - 1];  // fault: out-of-bounds
  const float own = in[i];
  const bool falls = own < left;
  out[i] = falls ? own : fmaxf(own, fminf(own, left));
}
