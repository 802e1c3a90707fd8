/*---
title   = "The matrix that is not needed as scratch memory"
problem = "minplus"
idea    = "This kernel has no use for t and keeps its intermediate values there; but t is an input."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(N, 4)"]
---*/

// size: 32
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
  if (i >= N || j >= N) return;
  float* scratch = const_cast<float*>(t);
  float least = 1e30f;
  for (int k = 0; k < N / 2; ++k) least = fminf(least, d[i * N + k] + d[k * N + j]);
  scratch[i * N + j] = least;  // fault: write-to-input
  for (int k = N / 2; k < N; ++k) least = fminf(least, d[i * N + k] + d[k * N + j]);
  r[i * N + j] = fminf(least, scratch[i * N + j]);
}
