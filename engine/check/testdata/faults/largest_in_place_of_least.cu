/*---
title   = "The largest in place of the least"
problem = "minplus"
idea    = "fmaxf is taken for fminf, and the first value is the smallest number there is."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 24
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 16 + threadIdx.x;
  const int i = blockIdx.y * 16 + threadIdx.y;
  if (i >= N || j >= N) return;
  float v = -3.0e38f;
  for (int k = 0; k < N; ++k) {
    v = fmaxf(v, d[i * N + k] + d[k * N + j]);  // fault: wrong-result
  }
  r[i * N + j] = v;
}
