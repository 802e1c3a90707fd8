/*---
title   = "Shortest paths relaxed in place"
problem = "minplus"
idea    = "After its own elements are set, each block reads elements of r that other blocks are still setting."
[launch]
block   = ["8", "8"]
grid    = ["ceil_div(N, 8)", "ceil_div(N, 8)"]
---*/

// size: 24
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  const int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
  float least = 1e30f;
  if (i < N && j < N)
    for (int k = 0; k < N; ++k) least = fminf(least, d[i * N + k] + d[k * N + j]);
  if (i < N && j < N) r[i * N + j] = least;  // fault: race-global
  __syncthreads();
  if (i < N && j < N && i != j) {
    const float mirrored = r[j * N + i];  // fault: race-global
    if (mirrored < -1.0e20f) r[i * N + j] = mirrored;
  }
}
