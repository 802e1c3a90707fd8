/*---
title   = "The minimum begins with the old r"
problem = "minplus"
idea    = "The least sum starts from r[i][j], which holds nothing before this kernel has written it."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 20
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = threadIdx.x + blockIdx.x * blockDim.x;
  const int i = threadIdx.y + blockIdx.y * blockDim.y;
  if (i >= N || j >= N) return;
  float v = r[N * i + j];  // fault: uninitialized-global
  for (int k = 0; k < N; ++k) {
    const float z = d[N * i + k] + d[N * k + j];
    v = v < z ? v : z;
  }
  r[N * i + j] = v;
}
