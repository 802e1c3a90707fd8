/*---
title   = "The element behind a local array"
problem = "copy"
idea    = "w[4] of four is the first element of the array beside it."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float w[4], z[4];
  const int first = (blockIdx.x * 32 + threadIdx.x) * 4;
  for (int e = 0; e < 4; ++e) z[e] = w[e] = first + e < N ? in[first + e] : 0.0f;
  const float behind = w[4];  // fault: out-of-array
  for (int e = 0; e < 4; ++e)
    if (first + e < N) out[first + e] = behind == 1e30f ? z[e] : w[e];
}
