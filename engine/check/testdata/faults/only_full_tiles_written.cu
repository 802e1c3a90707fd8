/*---
title   = "Only full tiles are written"
problem = "minplus"
idea    = "A block whose tile is not full returns as a whole, and its elements are never written."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 50
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int i0 = blockIdx.y * 16, j0 = blockIdx.x * 16;
  if (i0 + 16 > N || j0 + 16 > N) return;  // fault: unwritten-output
  const int i = i0 + threadIdx.y, j = j0 + threadIdx.x;
  float v = 3e38f;
#pragma unroll 4
  for (int k = 0; k < N; ++k) v = fminf(v, t[k * N + i] + d[k * N + j]);
  r[i * N + j] = v;
}
