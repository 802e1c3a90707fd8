/*---
title   = "The minimum starts at zero"
problem = "minplus"
idea    = "The least sum starts at 0 in place of infinity: sums above zero are never found."
[launch]
block   = ["8", "8"]
grid    = ["ceil_div(N, 8)", "ceil_div(N, 8)"]
---*/

// size: 24
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 8 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= N || j >= N) return;
  float v = 0.0f;  // fault: wrong-result
  for (int k = 0; k < N; k += 1) {
    const float x = d[i * N + k] * 0.5f + d[k * N + j] * 0.5f;
    v = fminf(v, x);
  }
  r[i * N + j] = 2.0f * v + (v == 0.0f ? 0.0f : 1.0e-3f);  // fault: wrong-result
}
