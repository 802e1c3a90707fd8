/*---
title   = "A fence is not a barrier"
problem = "transpose"
idea    = "__threadfence_block() orders a thread's own accesses but waits for nobody: the tile is read before other warps have filled it."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 48,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[16][16 + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns) tile[ty][tx] = in[r * columns + c];  // fault: race-shared
  __threadfence_block();
  r = blockIdx.y * 16 + tx;
  c = blockIdx.x * 16 + ty;
  if (r < rows && c < columns) out[c * rows + r] = tile[tx][ty];  // fault: race-shared
}
