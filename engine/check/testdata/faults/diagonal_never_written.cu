/*---
title   = "The diagonal is never written"
problem = "minplus"
idea    = "From a node to itself no way is needed, thinks this kernel, and skips the diagonal."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 30
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= N || j >= N || i == j) return;  // fault: unwritten-output
  float v = 3e38f;
  for (int k = 0; k < N; ++k) {
    v = fminf(v, d[i * N + k] + d[k * N + j]);
  }
  r[i * N + j] = v;
}
