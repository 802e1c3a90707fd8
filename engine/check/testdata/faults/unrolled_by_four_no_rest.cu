/*---
title   = "Unrolled by four without the rest"
problem = "minplus"
idea    = "k goes in steps of four and the rest is not done: for other N than multiples of four the last rows are left out."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 32
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= N || j >= N) return;
  float v = 3e38f;
  for (int k = 0; k + 3 < N; k += 4) {  // fault: wrong-at-odd-size
    v = fminf(v, d[i * N + k] + d[k * N + j]);
    v = fminf(v, d[i * N + k + 1] + d[(k + 1) * N + j]);
    v = fminf(v, d[i * N + k + 2] + d[(k + 2) * N + j]);
    v = fminf(v, d[i * N + k + 3] + d[(k + 3) * N + j]);
  }
  r[i * N + j] = v;
}
