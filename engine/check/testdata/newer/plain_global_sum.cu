/*---
title   = "Each thread adds to the sum without an atomic"
problem = "reduce"
idea    = "Threads read the same old sum and overwrite each other."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const float v = i < N ? in[i] : 0.0f;
  *out += v;  // fault: race-global
}
