/*---
title   = "A prefetch past the last row"
problem = "minplus"
idea    = "The loop loads the next row before it uses the present one, also in the last round, where there is no next row."
[launch]
block   = ["16", "8"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 8)"]
---*/

// size: 33
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= N || j >= N) return;
  float least = 3.0e38f;
  float x = t[i], y = d[j];
  for (int k = 0; k < N; ++k) {
    const float next_x = t[(k + 1) * N + i];  // fault: out-of-bounds
    const float next_y = d[(k + 1) * N + j];  // fault: out-of-bounds
    least = fminf(least, x + y);
    x = next_x;
    y = next_y;
  }
  r[i * N + j] = x == 1.0e-30f ? y : least;
}
