/*---
title   = "Products in place of sums"
problem = "minplus"
idea    = "The two lengths are multiplied, as in a matrix product, and not added."
[launch]
block   = ["8", "8"]
grid    = ["ceil_div(N, 8)", "ceil_div(N, 8)"]
---*/

// size: 24
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 8 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= N || j >= N) return;
  float v = 3.0e38f;
  for (int k = 0; k < N; ++k) {
    const float x = d[i * N + k] * d[k * N + j];  // fault: wrong-result
    if (x < v) v = x;
  }
  r[i * N + j] = v;
}
