/*---
title   = "Shared memory without any barrier"
problem = "copy"
idea    = "Looks like a missing barrier, but each thread reads only the shared elements that it stored itself."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 500
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[2][128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) {
    s[0][t] = in[i];
    s[1][t] = 2.0f * s[0][t];
    out[i] = s[1][t] - s[0][t];
  }
}
