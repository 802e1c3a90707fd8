/*---
title   = "An asynchronous tile without a barrier"
problem = "transpose"
idea    = "Each thread waits for its own copies only; without a barrier the elements that other warps copy may still be under way."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 64,48
#include <cuda_pipeline.h>
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns)
    __pipeline_memcpy_async(&tile[ty][tx], &in[r * columns + c], 4);  // fault: race-async // fault: race-shared
  __pipeline_commit();
  __pipeline_wait_prior(0);
  r = blockIdx.y * 16 + tx, c = blockIdx.x * 16 + ty;
  if (r < rows && c < columns) out[c * rows + r] = tile[tx][ty];  // fault: race-async // fault: race-shared
}
