/*---
title   = "A number printed as a text"
problem = "copy"
idea    = "The number is taken for an address."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i == 0) printf("N = %s\n", N);  // fault: printf-format
  if (i < N) out[i] = in[i];
}
