/*---
title   = "A format with more conversions than arguments"
problem = "copy"
idea    = "The second number that is printed is whatever lies there."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i == 0) printf("%d of %d\n", i);  // fault: printf-format
  if (i < N) out[i] = in[i];
}
