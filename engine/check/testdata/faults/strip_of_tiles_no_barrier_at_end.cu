/*---
title   = "A strip of tiles through one shared tile"
problem = "transpose"
idea    = "A block turns all tiles of a strip one after the other and has no barrier at the end of the loop: the next tile overwrites one that is still read."
[launch]
block   = ["16", "16"]
grid    = ["1", "ceil_div(M, 16)"]
---*/

// size: 64,160
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * 16;
  for (int col0 = 0; col0 < columns; col0 += 16) {
    if (row0 + ty < rows && col0 + tx < columns)
      tile[ty][tx] = in[(row0 + ty) * columns + col0 + tx];  // fault: race-shared
    __syncthreads();
    if (row0 + tx < rows && col0 + ty < columns)
      out[(col0 + ty) * rows + row0 + tx] = tile[tx][ty];  // fault: race-shared
  }
}
