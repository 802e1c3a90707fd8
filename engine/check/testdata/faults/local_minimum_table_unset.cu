/*---
title   = "A local table of minima that is never set"
problem = "minplus"
idea    = "Four running minima stand in a local table chosen by k modulo 4, and none of them is set to infinity first."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(N, 4)"]
---*/

// size: 18
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int i = blockIdx.y * 4 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  if (i >= N || j >= N) return;
  float best[4];  // fault: uninitialized-local // fault: uninitialized-register
#pragma unroll 1
  for (int k = 0; k < N; ++k) {
    const int slot = (k * 7 + i) % 4;
    best[slot] = fminf(best[slot], d[i * N + k] + d[k * N + j]);  // fault: uninitialized-local // fault: uninitialized-register
  }
  float least = best[0];
#pragma unroll 1
  for (int s = 1; s < 4; ++s) least = fminf(least, best[s]);
  r[i * N + j] = least;  // fault: uninitialized-local // fault: uninitialized-register
}
