/*---
title   = "A ring of three buffers"
problem = "minplus"
idea    = "Looks unprotected: the tile after the next is stored while others still read, but into the third buffer, last used two barriers ago."
[launch]
block   = ["16", "8"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 8)"]
---*/

// right
// size: 50
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float ring[3][8][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 8 + ty, j = blockIdx.x * 16 + tx;
  auto fill = [&](int tile) {
    const int k = tile * 8 + ty;
    ring[tile % 3][ty][tx] = k < N && j < N ? d[k * N + j] : 3e38f;
  };
  float least = 3e38f;
  fill(0);
  for (int tile = 0; tile * 8 < N; ++tile) {
    fill(tile + 1);
    __syncthreads();
    for (int k = 0; k < 8 && tile * 8 + k < N; ++k)
      if (i < N) least = fminf(least, d[i * N + tile * 8 + k] + ring[tile % 3][k][tx]);
  }
  if (i < N && j < N) r[i * N + j] = least;
}
