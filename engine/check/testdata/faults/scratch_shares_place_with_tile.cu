/*---
title   = "Results staged in a tile that is still in use"
problem = "minplus"
idea    = "The results are staged in the memory of the tile of d after the last loop without a barrier, while slower warps still read that tile."
[launch]
block   = ["8", "32"]
grid    = ["ceil_div(N, 8)", "ceil_div(N, 32)"]
---*/

// size: 40
// r[i][j] = the least d[i][k] + d[k][j] over k; t is d transposed.
extern "C" __global__ void kernel(const float* d, const float* t, float* r, int N) {
  __shared__ float pool[256];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * 32 + ty, j = blockIdx.x * 8 + tx;
  float v = 3.0e38f;
  for (int k0 = 0; k0 < N; k0 += 32) {
    __syncthreads();
    pool[ty * 8 + tx] = k0 + ty < N && j < N ? d[(k0 + ty) * N + j] : 3.0e38f;
    __syncthreads();
    for (int k = 0; k < 32 && k0 + k < N; ++k)
      if (i < N) v = fminf(v, t[(k0 + k) * N + i] + pool[k * 8 + tx]);  // fault: race-shared
  }
  __syncwarp();
  pool[tx * 32 + ty] = v;  // fault: race-shared
  __syncthreads();
  if (i < N && j < N) r[i * N + j] = pool[tx * 32 + ty];
}
