/*---
title   = "A grid rounded down"
problem = "transpose"
idea    = "The number of blocks is rounded down: the last rows and columns belong to no block."
[launch]
block   = ["16", "16"]
grid    = ["max(1, floor_div(N, 16))", "max(1, floor_div(M, 16))"]
---*/

// size: 50,70
// out[columns][rows] = in[rows][columns] turned, both row-major.
extern "C" __global__ void kernel(const float* in, float* out, int rows, int columns) {  // fault: unwritten-output
  __shared__ float tile[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  if (r < rows && c < columns) tile[ty][tx] = in[r * columns + c];
  __syncthreads();
  const int orow = blockIdx.x * 16 + ty, ocol = blockIdx.y * 16 + tx;
  if (orow < columns && ocol < rows) out[orow * rows + ocol] = tile[tx][ty];
}
