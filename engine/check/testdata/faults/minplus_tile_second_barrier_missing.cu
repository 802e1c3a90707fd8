/*---
title   = "Least sums of tiles, second barrier missing"
problem = "minplus"
idea    = "The second barrier is missing: rows of the next tile of d replace those that slower warps still take the minimum of."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(N, 16)"]
---*/

// size: 50
#define INF __int_as_float(0x7f800000)
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float left[16][17], right[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
  float v = INF;
  for (int ks = 0; ks < N; ks += 16) {
    left[ty][tx] = i < N && ks + tx < N ? d[i * N + ks + tx] : INF;  // fault: race-shared
    right[ty][tx] = ks + ty < N && j < N ? d[(ks + ty) * N + j] : INF;  // fault: race-shared
    __syncthreads();
    for (int k = 0; k < 16; ++k) v = fminf(v, left[ty][k] + right[k][tx]);  // fault: race-shared
  }
  if (i < N && j < N) r[i * N + j] = v;
}
