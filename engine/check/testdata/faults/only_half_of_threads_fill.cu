/*---
title   = "A tile filled by half"
problem = "transpose"
idea    = "The block has 8 rows of threads for a tile of 16 rows, and the loop over the two halves is missing where the tile is filled."
[launch]
block   = ["16", "8"]
grid    = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/

// size: 32,64
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
  if (r0 + ty < rows && c0 + tx < columns) tile[ty][tx] = in[(r0 + ty) * columns + c0 + tx];
  __syncthreads();
  for (int j = 0; j < 16; j += 8)
    if (r0 + tx < rows && c0 + ty + j < columns)
      out[(c0 + ty + j) * rows + r0 + tx] = tile[tx][ty + j];  // fault: uninitialized-shared
}
