/*---
title   = "A loop that ends at the thread's own row"
problem = "minplus"
idea    = "Each thread walks over k only up to its own row and from there on, and the first walk has barriers: its length differs between the rows of a warp."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 64
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float column[16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
  float least = 1e30f;
  for (int k = 0; k < min(i, N); ++k) {
    if (ty == 15) column[tx] = j < N ? d[k * N + j] : 1e30f;
    __syncthreads();  // fault: divergent-barrier
    if (i < N) least = fminf(least, t[k * N + i] + (j < N ? d[k * N + j] : column[tx]));
    __syncthreads();  // fault: divergent-barrier
  }
  for (int k = i; k < N; ++k)
    if (j < N) least = fminf(least, d[i * N + k] + d[k * N + j]);
  if (i < N && j < N) r[i * N + j] = least;
}
