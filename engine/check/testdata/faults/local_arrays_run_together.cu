/*---
title   = "A local array that runs into its neighbour"
problem = "minplus"
idea    = "Five elements are put into the first local array of four: the last goes into the second array, or the other way about."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 16
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= N || j >= N) return;
  float x[4], y[4];
  float least = 1e30f;
#pragma unroll 1
  for (int k0 = 0; k0 < N; k0 += 4) {
#pragma unroll 1
    for (int e = 0; e < 4; ++e) y[e] = k0 + e < N ? d[(k0 + e) * N + j] : 1e30f;
#pragma unroll 1
    for (int e = 0; e <= 4; ++e) x[e] = k0 + e < N ? d[i * N + k0 + e] : 1e30f;  // fault: out-of-array // fault: out-of-bounds
#pragma unroll 1
    for (int e = 0; e < 4; ++e) least = fminf(least, x[e] + y[e]);
  }
  r[i * N + j] = least;
}
