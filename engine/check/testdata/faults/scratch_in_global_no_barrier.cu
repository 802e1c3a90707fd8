/*---
title   = "A scratch tile in global memory without a barrier"
problem = "transpose"
idea    = "The tile is staged in global memory of the block's own, but without a barrier other warps of the block read it before it is there."
[launch]
block   = ["16", "16"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 48,32
__device__ float scratch[64][16][16];

// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int b = (blockIdx.y * gridDim.x + blockIdx.x) % 64;
  int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns) scratch[b][ty][tx] = in[r * columns + c];  // fault: race-global
  __threadfence_block();
  r = blockIdx.y * 16 + tx;
  c = blockIdx.x * 16 + ty;
  if (r < rows && c < columns) out[c * rows + r] = scratch[b][tx][ty];  // fault: race-global
}
