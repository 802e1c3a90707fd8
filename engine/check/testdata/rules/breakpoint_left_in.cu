/*---
title   = "A breakpoint that was left in"
problem = "copy"
idea    = "Without a debugger a breakpoint is a trap."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i == 5) __brkpt();  // fault: trap
  if (i < N) out[i] = in[i];
}
