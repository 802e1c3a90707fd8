/*---
title   = "A comparison in the place of an assignment"
problem = "copy"
idea    = "== compares, and nobody reads what comes out."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= N) i == N - 1;  // fault: no-effect
  if (i < N) out[i] = in[i];
}
