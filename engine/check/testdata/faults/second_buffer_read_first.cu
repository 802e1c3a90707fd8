/*---
title   = "Double buffering begins with the empty buffer"
problem = "minplus"
idea    = "The first tile goes into buffer 0 but the loop starts with buffer 1, in which nothing has been stored."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 32
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float tile[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
  auto load = [&](int b, int k0) { tile[b][ty][tx] = k0 + ty < N && j < N ? d[(k0 + ty) * N + j] : 1e30f; };
  float least = 1e30f;
  int b = 1;
  load(0, 0);
  __syncthreads();
  for (int k0 = 0; k0 < N; k0 += 16) {
    for (int k = 0; k < 16 && k0 + k < N; ++k)
      if (i < N) least = fminf(least, d[i * N + k0 + k] + tile[b][k][tx]);  // fault: uninitialized-shared
    __syncthreads();
    if (k0 + 16 < N) load(b, k0 + 16);
    __syncthreads();
  }
  if (i < N && j < N) r[i * N + j] = least;
}
