/*---
title   = "Lanes break out of a loop with barriers"
problem = "minplus"
idea    = "Lanes outside the matrix break out of the loop over the tiles, and the barriers in it wait for them."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 32)", "ceil_div(N, 4)"]
---*/

// size: 45
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float tile[4][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 4 + ty, j = blockIdx.x * 32 + tx;
  float least = 1e30f;
  for (int k0 = 0; k0 < N; k0 += 4) {
    if (j >= N) break;  // fault: divergent-barrier
    tile[ty][tx] = k0 + ty < N ? d[(k0 + ty) * N + j] : 1e30f;
    __syncthreads();  // fault: divergent-barrier
    for (int k = 0; k < 4 && k0 + k < N; ++k)
      if (i < N) least = fminf(least, d[i * N + k0 + k] + tile[k][tx]);
    __syncthreads();  // fault: divergent-barrier
  }
  if (i < N && j < N) r[i * N + j] = least;
}
